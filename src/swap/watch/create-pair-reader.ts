import { parseAddress } from '../model/address.ts';
import { SwapError } from '../model/swap-error.ts';
import type { ServedChain } from '../served-chain.ts';
import { type PairOfChain, readPairNow } from './read-pair-now.ts';

/** What one whole unit of `tokenIn` gives at a block; amounts as digits in the smallest unit. */
export type PairPrice = Omit<PairOfChain, 'amount'> & {
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
