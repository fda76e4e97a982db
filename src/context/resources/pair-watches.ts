import { ContextError } from '../context-error.ts';
import { contextLimits } from '../limits.ts';
import type { PairUseCases } from '../use-cases.ts';
import { parsePairUri } from './pair-uri.ts';

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
