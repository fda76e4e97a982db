import { ContextError } from '../context-error.ts';
import { contextLimits } from '../limits.ts';
import type { Pair, PairUseCases } from '../use-cases.ts';

const { value: mostPairs } = contextLimits.pairs;

/**
 * Bounds how many different pairs all sessions and streams of this process watch. Beyond it `watch` throws
 * `TOO_MANY_WATCHES`.
 */
export function boundWatches(pairs: PairUseCases): PairUseCases {
  const watchers = new Map<string, number>();
  return {
    ...pairs,
    watch(pair, onChange) {
      const key = keyOf(pair);
      const before = watchers.get(key) ?? 0;
      if (before === 0 && watchers.size >= mostPairs) throw tooMany();
      const stop = pairs.watch(pair, onChange);
      watchers.set(key, before + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        stop();
        const left = (watchers.get(key) ?? 1) - 1;
        if (left === 0) watchers.delete(key);
        else watchers.set(key, left);
      };
    },
  };
}

function keyOf({ chainId, tokenIn, tokenOut }: Pair): string {
  return `${chainId} ${tokenIn} ${tokenOut}`.toLowerCase();
}

function tooMany(): ContextError {
  return new ContextError(
    'TOO_MANY_WATCHES',
    `${mostPairs} different pairs are watched here, which is the limit: try again later, or watch a pair that others watch.`,
  );
}
