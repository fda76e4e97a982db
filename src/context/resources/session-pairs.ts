import { DomainError } from '../../kernel/domain-error.ts';
import type { SessionStore } from '../store/session-store.ts';
import { type PairWatches, refuseTooMany } from './pair-watches.ts';

/** What a session watches, whichever of its requests said so. */
export type SessionPairs = {
  /** See {@link PairWatches.add}. */
  add(uri: string): Promise<void>;
  remove(uri: string): Promise<void>;
  uris(): Promise<readonly string[]>;
  close(): void;
};

/** Watches of one process for as long as a connection lasts. */
export function localPairs(watches: PairWatches): SessionPairs {
  return {
    add: async (uri) => watches.add(uri),
    remove: async (uri) => watches.remove(uri),
    uris: async () => watches.uris(),
    close: () => watches.close(),
  };
}

/** Watches that the store keeps for every process (T11). A process watches what was asked of it, and all once {@link follow} is called. */
export type SharedPairs = SessionPairs & {
  /** Watches here what the session watches, for a stream of news that is open here. */
  follow(): Promise<void>;
};

export function sharedPairs(
  watches: PairWatches,
  { store, sessionId: id }: { store: SessionStore; sessionId: string },
): SharedPairs {
  return {
    async add(uri) {
      const others = (await store.watchesOf(id)).filter((one) => one !== uri);
      refuseTooMany(others.length);
      watches.add(uri);
      await store.addWatch(id, uri);
    },
    async remove(uri) {
      watches.remove(uri);
      await store.removeWatch(id, uri);
    },
    uris: () => store.watchesOf(id),
    async follow() {
      const wanted = await store.watchesOf(id);
      for (const uri of watches.uris()) if (!wanted.includes(uri)) watches.remove(uri);
      for (const uri of wanted) {
        try {
          watches.add(uri);
        } catch (error) {
          // Another process serves that chain, and this one does not.
          if (!(error instanceof DomainError)) throw error;
        }
      }
    },
    close: () => watches.close(),
  };
}
