import type { Database } from '../../kernel/database/database.ts';
import { DomainError } from '../../kernel/model/domain-error.ts';
import { deleteWatch, insertWatch, listWatches } from '../store/watch-store.ts';
import {
  type PairWatches,
  parsePairUri,
  refuseTooMany,
  refuseTooManyOfCaller,
} from './pair-watches.ts';

/** The pairs that a session watches, whichever of its requests added them. */
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

/**
 * Watches that the store keeps for every process (T11). A process watches the pairs that its own requests added, and
 * all of the session once {@link follow} is called.
 */
export type SharedPairs = SessionPairs & {
  /** Watches here what the session watches, for a notification stream that is open here. */
  follow(): Promise<void>;
};

export function sharedPairs(
  watches: PairWatches,
  options: {
    readonly database: Database;
    readonly sessionId: string;
    /** Whose session it is. */
    readonly owner: string;
    /** This process. */
    readonly process: string;
  },
): SharedPairs {
  const { database, sessionId, owner, process: from } = options;
  return {
    async add(uri) {
      parsePairUri(uri);
      const change = { sessionId, owner, uri, from };
      const isNew = await insertWatch(database, change, ({ ofSession, ofOwner }) => {
        refuseTooMany(ofSession);
        refuseTooManyOfCaller(ofOwner);
      });
      try {
        watches.add(uri);
      } catch (error) {
        if (isNew) await deleteWatch(database, change);
        throw error;
      }
    },
    async remove(uri) {
      watches.remove(uri);
      await deleteWatch(database, { sessionId, uri, from });
    },
    uris: () => listWatches(database, sessionId),
    async follow() {
      const wanted = await listWatches(database, sessionId);
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
