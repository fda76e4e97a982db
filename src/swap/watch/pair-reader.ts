import { parseAddress, SwapError } from '../model.ts';
import { findServedChain, type ServedChain } from '../served-chain.ts';
import { type PriceReading, readPrice, type WatchedPair } from './price-reading.ts';

/** What one whole unit of `tokenIn` gives at a block; amounts as digits in the smallest unit. */
type PairPrice = Omit<PairOfChain, 'amount'> & {
  readonly swapPrice: number;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly blockNumber: string;
};

export type PairReader = (
  pair: Omit<PairOfChain, 'amount'>,
  options: { signal: AbortSignal },
) => Promise<PairPrice>;

/**
 * Reads the price of a pair at the newest block, as the watch does. Throws as {@link readPairNow}, and
 * `INVALID_PARAMS` where one of the two is no token.
 */
export function createPairReader(
  chains: ReadonlyMap<number, Pick<ServedChain, 'open' | 'reader'>>,
): PairReader {
  return async (pair, { signal }) => {
    const { chainId } = pair;
    const reading = await readPairNow(chains, pair, signal);
    const [tokenIn, tokenOut] = [parseAddress(pair.tokenIn), parseAddress(pair.tokenOut)];
    if (reading === undefined) {
      throw new SwapError(
        'INVALID_PARAMS',
        `${tokenIn} or ${tokenOut} is not a token on chain ${chainId}: name two token contracts.`,
        { details: { tokenIn, tokenOut } },
      );
    }
    const { price, amountIn, amountOut, blockNumber } = reading;
    return {
      chainId,
      tokenIn,
      tokenOut,
      swapPrice: price,
      amountIn: amountIn.toString(),
      amountOut: amountOut.toString(),
      blockNumber: blockNumber.toString(),
    };
  };
}

/** Two tokens of a chain, by their addresses. */
export type PairOfChain = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** In the smallest unit of `tokenIn`; by default one whole unit. */
  readonly amount?: bigint | undefined;
};

/**
 * Prices a pair at the newest block. Undefined where one of the two is no token. Throws
 * `UNSUPPORTED_CHAIN`, `UPSTREAM_ERROR` when the chain cannot be read and, for what is no address,
 * viem's `InvalidAddressError`.
 */
export async function readPairNow(
  chains: ReadonlyMap<number, Pick<ServedChain, 'open' | 'reader'>>,
  named: PairOfChain,
  signal: AbortSignal,
): Promise<PriceReading | undefined> {
  const served = findServedChain(chains, named.chainId);
  const pair = toWatchedPair(named);
  const chain = await served.open(signal);
  const block = await served.reader.latestBlock({ signal });
  return readPrice(pair, { chain, block, signal });
}

/** The pair by its checked addresses. Throws viem's `InvalidAddressError`. */
export function toWatchedPair({ tokenIn, tokenOut, amount }: PairOfChain): WatchedPair {
  return { tokenIn: parseAddress(tokenIn), tokenOut: parseAddress(tokenOut), amount };
}
