import type { Walk } from '../graph/best-walks.ts';
import type { RoutingGraph } from '../graph/routing-graph.ts';
import { at, intAt } from '../graph/vectors.ts';
import { balanceShares } from './balance-shares.ts';
import { type Plan, pathFlowOf } from './path-flow.ts';

/**
 * The plan with more of the source, up to `amount`, over the same walks: each time so much more that the walks stay nearly
 * balanced. For amounts so large that pools are nearly used up: the prices of pools without an end differ there by many orders of
 * magnitude from the first ones, which spoils a search that begins with those. Takes less than `amount` where no walk takes
 * more.
 */
export function extendPlan(graph: RoutingGraph, plan: Plan, amount: number): Plan {
  let extended = plan;
  for (let total = amountOf(plan); total < amount; ) {
    total = Math.min(amount, total * growth);
    const more = spread(graph, extended, total);
    if (more === undefined) break;
    extended = balanceShares(pathFlowOf(graph), more);
  }
  return extended;
}

/** By how much a plan grows at a time. */
const growth = 4;

/**
 * The plan with the rest of the amount in those of its walks whose pools go on, in proportion, after the pools of the others have been
 * filled; undefined where none takes more.
 */
function spread(graph: RoutingGraph, plan: Plan, amount: number): Plan | undefined {
  const { walks } = plan;
  const isOpen = openWalks(graph, plan, amount);
  const { shares } = fillWalks(graph, plan, { isOpen, amount });
  const rest = amount - amountOf({ shares });
  const taking = amountOf({ shares: shares.filter((_, index) => isOpen[index]) });
  if (taking > 0) {
    const factor = 1 + rest / taking;
    return {
      walks,
      shares: shares.map((share, index) => (isOpen[index] ? share * factor : share)),
    };
  }
  return amountOf({ shares }) > amountOf(plan) ? { walks, shares } : undefined;
}

/**
 * Marks the walks that can take the rest of the amount in proportion to their shares. Of pools that would be used beyond their end,
 * the one that ends first closes the walks through it; the others may then have room.
 */
function openWalks(graph: RoutingGraph, { walks, shares }: Plan, amount: number): boolean[] {
  const flow = pathFlowOf(graph);
  const isOpen = walks.map(() => true);
  for (;;) {
    const taking = amountOf({ shares: shares.filter((_, index) => isOpen[index]) });
    const factor = 1 + (amount - amountOf({ shares })) / taking;
    const more = shares.map((share, index) => (isOpen[index] ? share * factor : share));
    flow.run({ walks, shares: more });
    const used = new Set(walks.filter((_, index) => isOpen[index]).flat());
    const first = [...used].reduce(
      (known, edge) => {
        const fullness = at(flow.taken, edge) / inputOf(graph, edge);
        return fullness > known.fullness ? { edge, fullness } : known;
      },
      { edge: -1, fullness: 1 },
    );
    if (first.edge === -1) return isOpen;
    walks.forEach((walk, index) => {
      if (walk.includes(first.edge)) isOpen[index] = false;
    });
  }
}

/** The plan with as much more in the walks that are not open as their pools take. */
function fillWalks(
  graph: RoutingGraph,
  plan: Plan,
  { isOpen, amount }: { readonly isOpen: readonly boolean[]; readonly amount: number },
): Plan {
  const flow = pathFlowOf(graph);
  const shares = Float64Array.from(plan.shares);
  const fits = (walk: Walk, share: number) => {
    let input = share;
    for (const edge of walk) {
      if (at(flow.taken, edge) + input > inputOf(graph, edge)) return false;
      input = flow.swap(edge, input);
    }
    return true;
  };
  plan.walks.forEach((walk, index) => {
    if (isOpen[index]) return;
    flow.run({ walks: plan.walks, shares });
    let [least, most] = [0, amount - amountOf({ shares })];
    for (let halving = 0; halving < halvings; halving++) {
      const middle = (least + most) / 2;
      if (fits(walk, middle)) least = middle;
      else most = middle;
    }
    shares[index] = at(shares, index) + least;
  });
  return { walks: plan.walks, shares };
}

const halvings = 60;

/** All that a pool takes. */
function inputOf(graph: RoutingGraph, edge: number): number {
  const end = intAt(graph.firstSegment, edge + 1) - 1;
  return at(graph.inputBefore, end) / at(graph.keep, edge);
}

function amountOf({ shares }: Pick<Plan, 'shares'>): number {
  return shares.reduce((total, share) => total + share, 0);
}
