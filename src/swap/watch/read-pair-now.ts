import { findServedChain } from '../find-served-chain.ts';
import { parseAddress } from '../model/address.ts';
import type { ServedChain } from '../served-chain.ts';
import { type PriceReading, readPrice, type WatchedPair } from './price-reading.ts';

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
