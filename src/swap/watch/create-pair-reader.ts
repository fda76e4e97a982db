import { parseAddress } from '../address.ts';
import { findServedChain } from '../find-served-chain.ts';
import type { ServedChain } from '../served-chain.ts';
import { SwapError } from '../swap-error.ts';
import { readPrice } from './price-reading.ts';

/** Two tokens of a chain, by their addresses. */
export type PairOfChain = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
};

/** What one whole unit of `tokenIn` gives at a block; amounts as digits in the smallest unit. */
export type PairPrice = PairOfChain & {
  readonly swapPrice: number;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly blockNumber: string;
};

export type PairReader = (
  pair: PairOfChain,
  options: { signal: AbortSignal },
) => Promise<PairPrice>;

/**
 * Reads the price of a pair at the newest block, as the watch does. Throws `UNSUPPORTED_CHAIN`,
 * `INVALID_PARAMS` where one of the two is no token, and `UPSTREAM_ERROR`; viem's
 * `InvalidAddressError` for what is no address.
 */
export function createPairReader(
  chains: ReadonlyMap<number, Pick<ServedChain, 'open' | 'reader'>>,
): PairReader {
  return async ({ chainId, ...given }, { signal }) => {
    const served = findServedChain(chains, chainId);
    const [tokenIn, tokenOut] = [parseAddress(given.tokenIn), parseAddress(given.tokenOut)];
    const chain = await served.open(signal);
    const block = await served.reader.latestBlock({ signal });
    const reading = await readPrice({ tokenIn, tokenOut }, { chain, block, signal });
    if (reading === undefined) {
      throw new SwapError(
        'INVALID_PARAMS',
        `${tokenIn} or ${tokenOut} is no token on chain ${chainId}: name two contracts of tokens.`,
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
