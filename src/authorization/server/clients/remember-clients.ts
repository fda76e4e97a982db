import { createBoundedMap } from '../../../kernel/collections/bounded-map.ts';
import { authorizationLimits } from '../../limits.ts';
import type { ClientId } from '../model/client.ts';
import type { StoredClient } from '../store/client-store.ts';

/** What another process changes is known within the second that revocation may take (R4). */
const longestMemory = 900;
/** More clients than call within a second, and 2 MB if each has the largest size. A forgotten client is read again. */
const clientsKept = authorizationLimits.clientsKept.value;

/** A short-lived cache of clients in the store. */
export type RememberedClients = {
  /**
   * The client as stored: at most a second behind changes by other processes, never behind changes by this one. Every
   * request at the token endpoint looks up a client; reading and parsing it each time would cost a tenth more.
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
      // A negative age, after the clock was set back, does not count as fresh.
      if (before !== undefined && age >= 0 && age < longestMemory) return before.stored;
      const changesBefore = changes;
      const stored = await find(clientId, now);
      known.delete(clientId);
      // A read during a change may have returned the old client, so it is not cached.
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
