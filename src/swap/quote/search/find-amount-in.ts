import type { Clock } from '../../../kernel/wait/clock.ts';
import type { PriceRequest } from '../quote.ts';
import { feeUnit } from '../swap-price.ts';
import { chooseRoute, type RouteSearch } from './choose-route.ts';
import type { RouteChooser } from './create-route-chooser.ts';

/** Each takes a search of some milliseconds; three or four are mostly enough. */
const mostRounds = 10;
/** No contract takes more. */
const greatestInput = 2n ** 256n - 1n;

/** What the best route for an amount takes of it, and what it gives. */
type Point = { readonly amountIn: bigint; readonly amountOut: bigint };

/** What one request has searched for, however often it tries [Q32]. */
type Searched = {
  rounds: number;
  readonly points: (Point & { readonly asked: bigint })[];
  /** Whether all that the pools give was asked for, and a router that takes few paths gave too little. */
  isAllShort?: boolean;
};

type FindingOptions = {
  readonly chain?: { readonly chooseRoute: RouteChooser };
  readonly clock: Pick<Clock, 'turn'>;
  readonly signal: AbortSignal;
};

/**
 * The requested input, or an input for the requested output. That input is enough even if the price falls by the slippage; if
 * the pools cannot give that much more, it is enough at the current price. Undefined if they cannot even give the output.
 */
export async function amountInFor(
  request: PriceRequest,
  search: Omit<RouteSearch, 'amountIn'>,
  options: FindingOptions,
): Promise<bigint | undefined> {
  const { amountIn, amountOut, fee } = request;
  if (amountOut === undefined) return amountIn;
  const searched: Searched = { rounds: 0, points: [] };
  const find = (target: bigint) => findAmountIn(search, target, { ...options, searched });
  return (await find(grossOutput(amountOut, request))) ?? find(grossOutput(amountOut, { fee }));
}

/** How far above the target an output may be: the target divided by two to this power. */
const precision = 30n;

/**
 * The least input, within a billionth of the output, whose best route gives at least `target`; undefined where the pools cannot give
 * that much. Its route may take less than all of it. Each search begins where those before it meet the target, as {@link inputBetween} says. Between two searches the event loop
 * turns, so that other requests wait for one search at most [Q31]. Rejects with the signal's reason when that fires.
 */
export async function findAmountIn(
  search: Omit<RouteSearch, 'amountIn'>,
  target: bigint,
  options: FindingOptions & { readonly searched?: Searched },
): Promise<bigint | undefined> {
  const { chain = { chooseRoute: async (asked) => chooseRoute(asked) }, clock, signal } = options;
  const { searched = { rounds: 0, points: [] } } = options;
  const chooseFor = (asked: RouteSearch) => chain.chooseRoute(asked, { signal });
  let amountIn = await firstInput(search, target, { chooseFor, searched });
  while (amountIn !== undefined && searched.rounds < mostRounds) {
    searched.rounds += 1;
    await clock.turn();
    signal.throwIfAborted();
    const choice = await chooseFor({ ...search, amountIn });
    const { amountOut = 0n, amountIn: taken = amountIn } = choice?.route ?? {};
    const isAll = amountIn === greatestInput;
    const isShort = amountOut < target;
    if (isAll && isShort) {
      // The executor takes any route. Others may have to leave some of its paths out, and more of them for more input.
      if (choice?.router.kind === 'tradewind' || searched.isAllShort) return undefined;
      searched.isAllShort = true;
    } else {
      const used = isShort ? amountIn : taken;
      searched.points.push({ asked: amountIn, amountIn: used, amountOut });
    }
    amountIn = nextInput(target, searched, { midPrice: choice?.midPrice ?? 0, isAll });
  }
  // For what the route takes alone, the search may find another one.
  return sortPoints(searched.points, target).above[0]?.asked;
}

/**
 * Where the search begins: at what a trade back gives, if the market takes the output whole; else at all that the pools give. A
 * further target begins between the points of the one before.
 */
async function firstInput(
  search: Omit<RouteSearch, 'amountIn'>,
  target: bigint,
  options: {
    readonly chooseFor: (asked: RouteSearch) => ReturnType<RouteChooser>;
    readonly searched: Searched;
  },
): Promise<bigint | undefined> {
  const { chooseFor, searched } = options;
  if (searched.points.length > 0) {
    return nextInput(target, searched, { midPrice: 0, isAll: false });
  }
  const { tokenIn, tokenOut } = search;
  const back = { ...search, tokenIn: tokenOut, tokenOut: tokenIn, amountIn: target };
  const route = (await chooseFor(back))?.route;
  const guess = route?.isPartial === false ? route.amountOut : greatestInput;
  return smaller(guess + guess / 50n + 1n, greatestInput);
}

/** The nearest to the target first. */
type Tried<P = Point> = { readonly below: readonly P[]; readonly above: readonly P[] };

function sortPoints<P extends Point>(points: readonly P[], target: bigint): Tried<P> {
  const inOrder = points.toSorted((one, other) => (one.amountIn < other.amountIn ? -1 : 1));
  return {
    below: inOrder.filter(({ amountOut }) => amountOut < target).toReversed(),
    above: inOrder.filter(({ amountOut }) => amountOut >= target),
  };
}

/** Where to search next; undefined if the least input is known. */
function nextInput(
  target: bigint,
  searched: Searched,
  { midPrice, isAll }: { readonly midPrice: number; readonly isAll: boolean },
): bigint | undefined {
  const tried = sortPoints(searched.points, target);
  const [under] = tried.below;
  const [over] = tried.above;
  if (over === undefined) {
    if (searched.isAllShort) return under && smaller(2n * under.amountIn, greatestInput);
    return furtherInput(target, tried.below, midPrice);
  }
  if (over.amountOut - target <= slack(target)) return undefined;
  // All that the pools give: they are nearly used up by much less.
  if (isAll && under === undefined && over.amountIn >> 20n > 0n) return over.amountIn >> 20n;
  const least = under?.amountIn ?? 0n;
  const isStuckBetween = under && (isStuck(target, tried.above) || isStuck(target, tried.below));
  if (isStuckBetween || over.amountIn - least <= 1n) return undefined;
  const nearest = [...tried.below.slice(0, 1), ...tried.above.slice(1, 2)]
    .filter(({ amountOut }) => amountOut > 0n)
    .toSorted((one, other) => Number(distance(one, target) - distance(other, target)));
  const hits = [
    ...nearest.map((point) => inputBetween(point, over, target)),
    (over.amountIn * target) / over.amountOut,
    (least + over.amountIn) / 2n,
  ];
  return hits.find((hit) => hit > least && hit < over.amountIn);
}

/** Where to search beyond inputs that give too little: once as the price there tells, then for all that the pools give. */
function furtherInput(target: bigint, [last, before]: readonly Point[], midPrice: number): bigint {
  const isKnown = last !== undefined && last.amountOut > 0n && before === undefined;
  if (!isKnown || !(midPrice > 0 && Number.isFinite(midPrice))) return greatestInput;
  const small = last.amountIn >> 20n;
  const first = { amountIn: small, amountOut: BigInt(Math.round(Number(small) * midPrice)) };
  const input = inputBetween(first, last, target + target / 500n);
  return input > last.amountIn ? smaller(input, greatestInput) : greatestInput;
}

function distance({ amountOut }: Point, target: bigint): bigint {
  return amountOut > target ? amountOut - target : target - amountOut;
}

/** Whether the nearer points on a side come no nearer: routes change there in steps, as where one is worth its gas. */
function isStuck(target: bigint, [last, before, first]: readonly Point[]): boolean {
  if (last === undefined || before === undefined || first === undefined) return false;
  return 2n * distance(last, target) > distance(before, target);
}

/** How much more than the target is good enough: a billionth, or one unit where that is less than a millionth. */
function slack(target: bigint): bigint {
  return (target >> precision) + (target >> 20n > 0n ? 1n : 0n);
}

/**
 * Where the output would reach a little more than the target if its reciprocal were a linear function of that of the input, as it is
 * for a pair of reserves: a good model near the end of all pools, too.
 */
function inputBetween(one: Point, other: Point, target: bigint): bigint {
  const [x1, y1, x2, y2] = [one.amountIn, one.amountOut, other.amountIn, other.amountOut];
  const wanted = target + slack(target) / 2n;
  // 1/x = 1/x2 + (1/x1 - 1/x2) * (1/wanted - 1/y2) / (1/y1 - 1/y2), with one denominator.
  const rise = (y2 - wanted) * y1;
  const run = (y2 - y1) * wanted;
  const divisor = x1 * run + (x2 - x1) * rise;
  return divisor === 0n ? -1n : (x1 * x2 * run) / divisor;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/**
 * What a route must give so that at least `amountOut` reaches the recipient after the fee, also where the
 * price falls by the slippage. Both must be below 1.
 */
export function grossOutput(
  amountOut: bigint,
  { fee = 0n, maxSlippage }: Pick<PriceRequest, 'fee' | 'maxSlippage'>,
): bigint {
  const { numerator, denominator } = maxSlippage ?? { numerator: 0n, denominator: 1n };
  const divisor = (denominator - numerator) * (feeUnit - fee);
  return (amountOut * denominator * feeUnit + divisor - 1n) / divisor + (fee > 0n ? 1n : 0n);
}
