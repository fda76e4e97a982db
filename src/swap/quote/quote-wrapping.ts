import type { Clock } from '../../kernel/wait/clock.ts';
import { readCalls } from '../chain/chain-reader.ts';
import { SwapError } from '../model.ts';
import { encodeUnwrap, encodeWrap } from '../transaction/encode-swap.ts';
import { encodeTrial, readTrial, type TrialInput } from '../transaction/swap-trial.ts';
import { gasLimit } from '../transaction/transaction-costs.ts';
import type { Market } from './market/market.ts';
import { minAmountOut } from './present-quote.ts';
import type { PriceRequest, QuoteRequest, RoutedPrice, RoutedQuote } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import { nativeTokenMetadata, type SwapSides } from './swap-sides.ts';

export type WrappingOptions = {
  readonly chain: QuoteChain;
  readonly market: Market;
  readonly sides: SwapSides;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

// For a node that runs no trial: the gas of a deposit into an empty balance, the dearer of the two.
const untriedCallGas = 30_000n;

// Wrapping has no deadline; the gas and its price hold for ten minutes.
const validFor = 600_000;

/** Native to wrapped and back: one for one by the wrapped token's own contract, no route, no slippage [Q6]. */
export async function quoteWrapping(
  request: QuoteRequest,
  { chain, market, sides, clock, signal }: WrappingOptions,
): Promise<RoutedQuote> {
  const { reader } = chain;
  const { sender } = request;
  const amountIn = wrappedAmount(request);
  if (request.recipient !== undefined && request.recipient !== sender) {
    const rule = 'must be the sender: the contract that wraps and unwraps pays nobody else';
    throw new SwapError('INVALID_PARAMS', `recipient ${rule}.`, { details: { recipient: rule } });
  }
  if (request.fee) {
    const rule = 'is not supported for wrapping and unwrapping: leave it out';
    throw new SwapError('INVALID_PARAMS', `fee ${rule}.`, { details: { fee: rule } });
  }
  const encode = sides.isNativeIn ? encodeWrap : encodeUnwrap;
  const call = encode(sides.tokenIn, amountIn);
  const trialInput: TrialInput = {
    call,
    sender,
    recipient: sender,
    tokenIn: sides.isNativeIn ? undefined : { address: sides.tokenIn, storage: market.storage },
    amountIn,
    tokenOut: sides.isNativeOut ? undefined : sides.tokenOut,
    pools: [],
  };
  const trial = await readCalls(reader, [encodeTrial(trialInput)], {
    block: market.block,
    signal,
    decode: ([outcome]) => readTrial(outcome, trialInput),
  });
  const callGas = trial.outcome === 'succeeded' ? trial.callGas : untriedCallGas;
  return {
    ...priceWrapping(request, { chain, market, sides }),
    minAmountOut: request.amountOut ?? minAmountOut(amountIn, request.maxSlippage),
    tx: {
      from: sender,
      ...call,
      gas: gasLimit(call.data, callGas),
      gasPrice: market.block.gasPrice,
    },
    approval: [],
    ...(trial.outcome === 'untried' ? { issues: { simulationIncomplete: true } } : {}),
    validUntil: clock.now() + validFor,
  };
}

/** The interface takes one of the two. */
function wrappedAmount({ amountIn, amountOut = 0n }: PriceRequest): bigint {
  return amountIn ?? amountOut;
}

/** One for one, whatever the amount. */
export function priceWrapping(
  request: PriceRequest,
  { chain, market, sides }: Pick<WrappingOptions, 'chain' | 'market' | 'sides'>,
): RoutedPrice {
  const amountIn = wrappedAmount(request);
  const native = nativeTokenMetadata(chain.deployment);
  const wrapped = market.tokens.get(sides.tokenIn);
  const token = wrapped ?? { ...native, address: sides.tokenIn, symbol: `W${native.symbol}` };
  const [tokenFrom, tokenTo] = sides.isNativeIn ? [native, token] : [token, native];
  return {
    status: 'Successful',
    tokenFrom,
    tokenTo,
    blockNumber: market.block.number,
    rpcUrls: chain.rpcUrls(),
    swapPrice: 1,
    priceImpact: 0,
    amountIn,
    ...(request.amountOut === undefined ? {} : { maxAmountIn: amountIn }),
    expectedAmountOut: amountIn,
    tokens: [tokenFrom, tokenTo],
    route: [],
    optimality: {
      upperBound: amountIn,
      gapBps: 0,
      pools: 0,
      poolsCutOff: 0,
      unreadBps: 0,
      isCutShort: false,
      gasCost: 0n,
    },
  };
}
