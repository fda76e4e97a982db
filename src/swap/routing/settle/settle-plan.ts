import type { RoutingGraph } from '../graph/routing-graph.ts';
import { at } from '../graph/vector-access.ts';
import type { Plan } from '../plans/path-flow.ts';
import { type Settlement, settleWalks } from './settle-walks.ts';

/**
 * Gives the walks of a plan whole units of the amount and settles them. Shares are rounded down and
 * the largest walk gets the rest, so that nothing of the amount is lost. If a pool on a walk ran
 * out, what the walk could not take goes to the largest walk without such a pool.
 */
export function settlePlan(graph: RoutingGraph, plan: Plan, amountIn: bigint): Settlement {
  const offers = plan.walks.map((walk, index) => ({
    walk,
    amountIn: BigInt(Math.floor(at(plan.shares, index))),
    ranOut: false,
  }));
  let missing = amountIn - offers.reduce((sum, offer) => sum + offer.amountIn, 0n);
  for (let round = 1; ; round++) {
    let largest: (typeof offers)[number] | undefined;
    for (const offer of offers) {
      if (!offer.ranOut && offer.amountIn > (largest?.amountIn ?? -1n)) largest = offer;
    }
    if (largest !== undefined) largest.amountIn += missing;
    const settlement = settleWalks(graph, offers);
    missing = amountIn - settlement.amountIn;
    if (missing === 0n || largest === undefined || round === maxRounds) return settlement;
    settlement.taken.forEach((taken, index) => {
      const offer = offers[index];
      if (offer === undefined || taken === offer.amountIn) return;
      offer.amountIn = taken;
      offer.ranOut = true;
    });
  }
}

const maxRounds = 4;

/**
 * Settles a plan whose walks take all they can: each is offered a trifle more than its share, so
 * that the pools themselves say to the unit where they end.
 */
export function settleFullPlan(graph: RoutingGraph, plan: Plan, amountIn: bigint): Settlement {
  let left = amountIn;
  const offers = plan.walks.map((walk, index) => {
    const wanted = BigInt(Math.floor(at(plan.shares, index) * (1 + trifle))) + 1n;
    const offer = { walk, amountIn: wanted < left ? wanted : left };
    left -= offer.amountIn;
    return offer;
  });
  return settleWalks(graph, offers);
}

/** More than the error of a share, which is some 10⁻¹⁴, and still negligible. */
const trifle = 1e-11;
