import type { Clock } from '../../kernel/wait/clock.ts';
import { isBlockUnknown, SwapError } from '../model.ts';
import type { PermitPlan } from '../permit.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import type { SwapOrder } from '../swap-order.ts';
import { explainNoRoute, findSwap } from './find-swap.ts';
import { type Market, refuse } from './market/market.ts';
import { describeEnds, presentPrice, presentQuote } from './present-quote.ts';
import type { Price, PriceRequest, Quote, QuoteRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import { priceWrapping, quoteWrapping } from './quote-wrapping.ts';
import type { RoutedChoice, RouteLimit, RouteSearch } from './search/choose-route.ts';
import { attemptSwap, type SwapAttempt } from './swap-attempt.ts';
import { feeOf } from './swap-price.ts';
import type { SwapSides } from './swap-sides.ts';

type QuoteContext = {
  readonly chain: QuoteChain;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when the amount of a trial differs from the computed one [Q17]. */
  onDifference(difference: { readonly computed: bigint; readonly received: bigint }): void;
};

// Long enough to sign with a hardware wallet, short enough that a forgotten signature is harmless.
const validForSeconds = 600n;

/**
 * Quotes a swap: reads the market at one block, finds the best route, tries its transaction at that block
 * and returns it with the results of the trial. A market from memory costs no round trip: the request of the
 * trial also asks for the newest block. If the market's block is no longer the newest, or a reorganisation
 * removed it, the quote starts over on the new head, once [Q16].
 */
export async function quoteSwap(request: QuoteRequest, context: QuoteContext): Promise<Quote> {
  // A market read afresh is outdated only if the executor is no longer there, and then once.
  for (const isFresh of [false, true, true]) {
    try {
      return await quoteOnce(request, { ...context, isFresh });
    } catch (error) {
      if (!(error instanceof Outdated) && !(isBlockUnknown(error) && !isFresh)) throw error;
    }
  }
  throw new SwapError(
    'UPSTREAM_ERROR',
    'RPC endpoints disagree on whether our executor is deployed; try again.',
  );
}

/** Thrown where the market no longer holds: its block is not the newest, or the executor is gone. */
class Outdated extends Error {
  override readonly name = 'Outdated';
}

type Attempting = QuoteContext & { readonly isFresh: boolean };

/** Throws {@link Outdated}. */
async function quoteOnce(request: QuoteRequest, context: Attempting): Promise<Quote> {
  const { chain, signal, isFresh } = context;
  const found = await findSwap(request, {
    ...context,
    async read(sides, further) {
      const wanted = { sides, sender: request.sender, signal };
      if (further === undefined) return chain.readMarket({ ...wanted, isFresh });
      await checkHead(further.market, context);
      const { reaches, looksFurther } = further;
      return chain.readMarket({ ...wanted, isFresh: false, reaches, looksFurther });
    },
  });
  const { sides, market } = found;
  if (found.kind === 'wrapping') {
    const [quote] = await Promise.all([
      quoteWrapping(request, { ...context, market, sides }),
      checkHead(market, context),
    ]);
    return quote;
  }
  // Whatever is missing may have come with a newer block [F101].
  if (found.kind === 'no-route' || lacksToken(found)) await checkHead(market, context);
  const ends = describeEnds(request, { chain, market, sides });
  if (found.kind === 'no-route') {
    return { status: 'NoRoute', ...ends, reason: found.reason };
  }
  const { choice, search } = found;
  const permit = await planPermit(request, { ...context, market, sides });
  const attempt = await attemptBest(search, { request, sides, context, choice, permit });
  if (!attempt.isRouterThere) {
    chain.forgetExecutor();
    throw new Outdated();
  }
  const { trial } = attempt;
  if (trial.outcome === 'succeeded' && trial.received < (request.amountOut ?? 0n)) {
    return { status: 'NoRoute', ...ends, reason: explainNoRoute(chain.deployment, request) };
  }
  if (trial.outcome === 'succeeded' && trial.received === 0n) {
    return { status: 'NoRoute', ...ends, reason: 'The swap brings the recipient nothing.' };
  }
  if (trial.outcome === 'reverted') {
    return { status: 'NoRoute', ...ends, reason: `The swap cannot be executed: ${trial.reason}` };
  }
  return presentQuote({ request, market, sides, attempt, ends });
}

/** For quotes without a trial, or where another reading must come before it. Throws {@link Outdated}. */
async function checkHead(
  { isRemembered, block }: Market,
  { chain, signal }: Attempting,
): Promise<void> {
  if (!isRemembered) return;
  const head = await chain.reader.latestBlock({ signal });
  if (head.hash !== block.hash) throw new Outdated();
}

type AttemptOptions = {
  readonly request: QuoteRequest;
  readonly sides: SwapSides;
  readonly context: Attempting;
  readonly choice: RoutedChoice;
  readonly permit: PermitPlan | undefined;
};

// The most trustworthy first.
const fallbacks: readonly RouteLimit[] = ['one-path-of-pairs', 'one-path'];

/**
 * Tries the chosen route. If it gives another amount than was settled, or reverts, the token taxes or
 * refuses some transfers. Then the amounts inside a split are unknown, and a concentrated pool that is
 * offered more than it takes leaves the rest in the router. So single paths are tried next: they are never
 * offered more than was settled, and over pairs alone the minimum also counts after the tax. For a
 * remembered market the request of the trial also asks for the newest block. Throws {@link Outdated}.
 */
async function attemptBest(search: RouteSearch, options: AttemptOptions): Promise<SwapAttempt> {
  const { request, sides, context, choice, permit } = options;
  const { chain, clock, signal, onDifference } = context;
  const now = BigInt(Math.ceil(clock.now() / 1_000));
  const { block, isRemembered } = search.market;
  const { timestamp } = block;
  const deadline = (now > timestamp ? now : timestamp) + validForSeconds;
  const common = {
    ...chain,
    market: search.market,
    sides,
    sender: request.sender,
    recipient: request.recipient ?? request.sender,
    fee: feeOrder(request),
    permit,
    deadline,
    signal,
  };

  const first = await attemptSwap({ ...common, choice, asksHead: isRemembered });
  if (first.head !== undefined && first.head.hash !== block.hash) throw new Outdated();
  if (first.trial.outcome === 'untried') return first;
  if (first.trial.outcome === 'succeeded') {
    const { amountOut } = choice.route;
    const computed = amountOut - feeOf(amountOut, request.fee);
    if (first.trial.received === computed) return first;
    onDifference({ computed, received: first.trial.received });
    if (isOnePathOfPairs(choice)) return first;
  }
  for (const within of fallbacks) {
    const simpler = await chain.chooseRoute({ ...search, within }, { signal });
    if (simpler === undefined) continue;
    const attempt = await attemptSwap({ ...common, choice: simpler });
    if (attempt.trial.outcome === 'succeeded') return attempt;
  }
  return first;
}

function feeOrder({ fee, feeRecipient }: QuoteRequest): SwapOrder['fee'] {
  return fee && feeRecipient ? { billionths: fee, recipient: feeRecipient } : undefined;
}

function isOnePathOfPairs({ route: { paths } }: RoutedChoice): boolean {
  const pools = paths.flatMap(({ hops }) => hops.map(({ pool }) => pool));
  return paths.length === 1 && pools.every((pool) => poolKindOf(pool).tradesWhatArrives);
}

/** How long ago the block of a price may have been confirmed as the newest, in milliseconds. */
const mostAgeMs = 3_000;

/**
 * What a swap would give, computed as a quote is, but without a trial. It takes no sender, and sends nothing
 * to the chain if the pools are in memory. A token that taxes transfers gives less than this price says
 * [Q29].
 */
export async function priceSwap(request: PriceRequest, context: PriceContext): Promise<Price> {
  const { chain, clock, signal, isFresh = false } = context;
  const found = await findSwap(request, {
    chain,
    clock,
    signal,
    read(sides, further) {
      const { market, ...more } = further ?? {};
      const again = market && { at: market.block, ...more };
      return chain.readMarket({ sides, isFresh, mostAgeMs, signal, ...again });
    },
  });
  if (found.kind === 'wrapping') return priceWrapping(request, { ...found, chain });
  if (!isFresh && lacksToken(found)) {
    return priceSwap(request, { ...context, isFresh: true });
  }
  const ends = describeEnds(request, { ...found, chain });
  if (found.kind === 'no-route') return { status: 'NoRoute', ...ends, reason: found.reason };
  const { amountOut } = found.choice.route;
  const feeAmount = feeOf(amountOut, request.fee);
  return presentPrice({ ...found, request, expected: amountOut - feeAmount, feeAmount, ends });
}

type PriceContext = {
  readonly chain: QuoteChain;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isFresh?: boolean;
};

/** Whether one of the two was no token at the block of the market; it may be one at a newer block [F101]. */
function lacksToken({ market, sides }: { market: Market; sides: SwapSides }): boolean {
  return !market.tokens.has(sides.tokenIn) || !market.tokens.has(sides.tokenOut);
}

/**
 * How the sender can allow the input by a signature, if the request asks for that [Q29]. Undefined if nothing needs to
 * be allowed, or for `auto` if neither the token nor the chain supports it: then an approval does it. Throws
 * `INVALID_PARAMS` for a requested kind that is not supported.
 */
async function planPermit(
  { permit }: Pick<QuoteRequest, 'permit'>,
  options: {
    readonly chain: QuoteChain;
    readonly market: Market;
    readonly sides: SwapSides;
    readonly signal: AbortSignal;
  },
): Promise<PermitPlan | undefined> {
  const { chain, market, sides, signal } = options;
  if (permit === undefined || sides.isNativeIn) return undefined;
  const kind = permit === 'auto' ? undefined : permit;
  const plan = await chain.findPermit(sides.tokenIn, { kind, block: market.block, signal });
  if (plan === undefined && kind !== undefined) {
    refuse(
      'permit',
      kind === 'eip2612'
        ? 'is eip2612, which tokenIn does not support: name permit2 or auto, or leave it out'
        : 'is permit2, which this chain does not have: name eip2612 or auto, or leave it out',
    );
  }
  return plan;
}
