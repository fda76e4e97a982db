import { ContextError } from '../context-error.ts';
import { contextLimits } from '../limits.ts';
import type { Pair, PairUseCases } from '../use-cases.ts';

/** The pairs that one session or stream watches. */
export type PairWatches = {
  /**
   * Watches a pair; watching it twice, or after the end, changes nothing. Throws `NOT_A_PAIR`, `TOO_MANY_WATCHES` and what
   * the use case throws, such as for a chain that is not served.
   */
  add(uri: string): void;
  remove(uri: string): void;
  uris(): readonly string[];
  close(): void;
};

/** Each pair is evaluated at every block: an agent watches few, and a flood is refused. */
const mostWatches = contextLimits.watches.value;
const mostOfCaller = contextLimits.watchesOfCaller.value;

/** Watches pairs and reports each change under the address by which the pair was named. */
export function createPairWatches(
  pairs: Pick<PairUseCases, 'watch'>,
  onChange: (uri: string) => void,
): PairWatches {
  const watches = new Map<string, () => void>();
  let isClosed = false;
  return {
    add(uri) {
      const pair = parsePairUri(uri);
      if (isClosed || watches.has(uri)) return;
      refuseTooMany(watches.size);
      watches.set(
        uri,
        pairs.watch(pair, () => onChange(uri)),
      );
    },
    remove(uri) {
      watches.get(uri)?.();
      watches.delete(uri);
    },
    uris: () => [...watches.keys()],
    close() {
      isClosed = true;
      for (const stop of watches.values()) stop();
      watches.clear();
    },
  };
}

/** Throws `TOO_MANY_WATCHES` if the session watches that many already. */
export function refuseTooMany(watched: number): void {
  if (watched < mostWatches) return;
  throw new ContextError(
    'TOO_MANY_WATCHES',
    `At most ${mostWatches} pairs can be watched at a time: unsubscribe from one first.`,
  );
}

/** Throws `TOO_MANY_WATCHES` if all sessions of the caller together watch that many already. */
export function refuseTooManyOfCaller(watched: number): void {
  if (watched < mostOfCaller) return;
  throw new ContextError(
    'TOO_MANY_WATCHES',
    `Your sessions watch ${watched} pairs, and ${mostOfCaller} are the limit: unsubscribe from one, or end a session, first.`,
  );
}

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

/** RFC 6570; the addresses of tokens hold no `-`. */
export const pairUriTemplate = 'swap://chains/{chainId}/pairs/{tokenIn}-{tokenOut}';

const pairUri =
  /^swap:\/\/chains\/([1-9]\d{0,15})\/pairs\/(0x[0-9a-fA-F]{40})-(0x[0-9a-fA-F]{40})$/;

/** The pair of a resource address. Does not check that its chain is served. Throws `NOT_A_PAIR`. */
export function parsePairUri(uri: string): Pair {
  const [, chainId, tokenIn, tokenOut] = pairUri.exec(uri) ?? [];
  if (chainId === undefined || tokenIn === undefined || tokenOut === undefined) {
    throw new ContextError(
      'NOT_A_PAIR',
      `${JSON.stringify(uri.slice(0, 200))} is not a resource of this server: write a pair as ${pairUriTemplate}, with the addresses of two tokens.`,
    );
  }
  return { chainId: Number(chainId), tokenIn, tokenOut };
}
