import { createBoundedMap } from '../../../kernel/bounded-map.ts';
import { authorizationLimits } from '../../limits.ts';
import type { ClientId } from '../model/client.ts';
import type { StoredClient } from '../store/client-store.ts';

/** What another process changes is known within the second that revocation may take (R4). */
const longestMemory = 900;
/** More than ask within a second, and 2 MB where each registration is as large as may be. Whoever is forgotten is read again. */
const clientsKept = authorizationLimits.clientsKept.value;

/** A short-lived cache of clients in the store. */
export type RememberedClients = {
  /**
   * As the store has it, at most a second late with what other processes changed and never late with what this
   * one did. Every request at the token endpoint asks for a client, which reading and parsing one would
   * make dearer by a tenth.
   */
  recall: FindStored;
  /** Forgets a client as soon as a change of it has ended, however it ended. */
  forgetAfter<T>(clientId: ClientId, change: Promise<T>): Promise<T>;
};

/** Reads a client from the store. */
type FindStored = (clientId: string, now: number) => Promise<StoredClient | undefined>;

type Remembered = { readonly stored: StoredClient; readonly readAt: number };

/** Caches clients that were used, but not those whose registration may still expire. */
export function rememberClients(find: FindStored): RememberedClients {
  const known = createBoundedMap<string, Remembered>(clientsKept);
  let changes = 0;

  return {
    async recall(clientId, now) {
      const before = known.get(clientId);
      const age = before === undefined ? longestMemory : now - before.readAt;
      // A clock that was set back makes nothing young again.
      if (before !== undefined && age >= 0 && age < longestMemory) return before.stored;
      const changesBefore = changes;
      const stored = await find(clientId, now);
      known.delete(clientId);
      // What was read while something changed may be what was there before.
      if (stored === undefined || stored.client.isUnused || changes !== changesBefore)
        return stored;
      known.set(clientId, { stored, readAt: now });
      return stored;
    },
    async forgetAfter(clientId, change) {
      try {
        return await change;
      } finally {
        known.delete(clientId);
        changes += 1;
      }
    },
  };
}
