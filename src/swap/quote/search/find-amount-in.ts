import type { Clock } from '../../../kernel/wait/clock.ts';
import type { PriceRequest } from '../quote.ts';
import { feeUnit } from '../swap-price.ts';
import { chooseRoute, type RouteSearch } from './choose-route.ts';
import type { RouteChooser } from './create-route-chooser.ts';

/** Each takes a search of some milliseconds; four or five are mostly enough. */
const mostRounds = 14;
/** No contract takes more. */
const greatestInput = 2n ** 256n - 1n;

/** The rounds that are left to one request, however often it tries [Q32]. */
type Rounds = { left: number };

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
  const rounds = { left: mostRounds };
  const find = (target: bigint) => findAmountIn(search, target, { ...options, rounds });
  return (await find(grossOutput(amountOut, request))) ?? find(grossOutput(amountOut, { fee }));
}

/** How far above the target an output may be: the target divided by two to this power. */
const precision = 30n;

/**
 * The least input, within a billionth of the output, whose best route gives at least `target`; undefined
 * where the pools cannot give that much. Output is concave in input, so that a line between a point below
 * and one above the target meets it at an input that gives at least as much. Between two searches the event loop
 * turns, so that other requests wait for one search at most [Q31]. Rejects with the signal's reason when that fires.
 */
export async function findAmountIn(
  search: Omit<RouteSearch, 'amountIn'>,
  target: bigint,
  options: FindingOptions & { readonly rounds?: Rounds },
): Promise<bigint | undefined> {
  const { chain = { chooseRoute: async (asked) => chooseRoute(asked) }, clock, signal } = options;
  const { rounds = { left: mostRounds } } = options;
  const routeFor = async (asked: RouteSearch) =>
    (await chain.chooseRoute(asked, { signal }))?.route;
  const { tokenIn, tokenOut } = search;
  const back = { ...search, tokenIn: tokenOut, tokenOut: tokenIn, amountIn: target };
  const guess = (await routeFor(back))?.amountOut ?? target;
  let amountIn = guess + guess / 50n + 1n;
  let below = { amountIn: 0n, amountOut: 0n };
  let above: typeof below | undefined;
  for (; rounds.left > 0 && amountIn <= greatestInput; rounds.left -= 1) {
    await clock.turn();
    signal.throwIfAborted();
    const route = await routeFor({ ...search, amountIn });
    const point = { amountIn, amountOut: route?.amountOut ?? 0n };
    if (point.amountOut >= target) above = point;
    else if (route?.isPartial) return undefined;
    else below = point;
    if (above === undefined) {
      const scaled = (amountIn * target * 101n) / (100n * (below.amountOut || target)) + 1n;
      amountIn = scaled > amountIn ? scaled : amountIn * 2n;
      continue;
    }
    const isNear = above.amountOut - target <= target >> precision;
    if (isNear || above.amountIn - below.amountIn <= 1n) break;
    const width = above.amountIn - below.amountIn;
    const part = (width * (target - below.amountOut)) / (above.amountOut - below.amountOut);
    const next = below.amountIn + part + 1n;
    if (next >= above.amountIn) break;
    amountIn = next;
  }
  return above?.amountIn;
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
