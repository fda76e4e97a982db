import type { Clock } from '../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { swapLimits } from '../limits.ts';
import type { Address } from '../model.ts';

/** What one whole unit of a token was worth in another at a block, before the impact of any amount. */
export type PricePoint = {
  readonly at: number;
  readonly price: number;
  readonly blockNumber: bigint;
};

export type HistoryPair = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
};

/** Prices that this process has seen. */
export type PriceHistory = {
  /**
   * Records a price, at most one per block. Ignores a price that is not a positive number, as where there is
   * no output.
   */
  record(pair: HistoryPair, seen: Pick<PricePoint, 'price' | 'blockNumber'>): void;
  /** The oldest first. */
  read(pair: HistoryPair): readonly PricePoint[];
};

/** Keeps the last prices of the most recent pairs in memory: they were computed anyway. */
export function createPriceHistory(clock: Clock): PriceHistory {
  const { historyPairs, historyPoints } = swapLimits;
  const kept = createBoundedMap<string, readonly PricePoint[]>(historyPairs.value);
  const keyOf = ({ chainId, tokenIn, tokenOut }: HistoryPair) =>
    `${chainId} ${tokenIn} ${tokenOut}`;
  return {
    record(pair, { price, blockNumber }) {
      if (!Number.isFinite(price) || price <= 0) return;
      const before = kept.get(keyOf(pair)) ?? [];
      // A block that was seen already, or an endpoint that lags behind, adds nothing to the line.
      if ((before.at(-1)?.blockNumber ?? -1n) >= blockNumber) return;
      const point = { at: clock.now(), price, blockNumber };
      kept.set(keyOf(pair), [...before, point].slice(-historyPoints.value));
    },
    read: (pair) => kept.get(keyOf(pair)) ?? [],
  };
}
