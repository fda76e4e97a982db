import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { createRefresher } from '../../../kernel/lifecycle/create-refresher.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import {
  listenForRevocations,
  type Revocation,
  readRevocations,
  storeRevocation,
} from '../store/revocation-store.ts';
import { createRevocationList, type RevocationList } from './create-revocation-list.ts';

/** The revocations that this process knows. */
export type Revocations = Pick<RevocationList, 'isRevoked' | 'onRevoked'> & {
  /** Runs a change in one transaction. Its revocations take effect with the commit, in this process at once. */
  revoking<T>(change: (tx: Transaction, revoke: Revoke) => Promise<T>): Promise<T>;
  /** Keeps the list at most a second behind what other processes revoke. */
  readonly worker: Worker;
};

/** Revokes in the transaction of a change. */
export type Revoke = (kind: Revocation['kind'], subject: string) => Promise<void>;

export type RevocationsOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
};

/** Rules R4 and S1 as this server reads them: known in other processes within 1 s, even if a notice was lost. */
const pauseBetweenLooks = 900;
/**
 * Each look goes back this far. A transaction may commit after a later one was seen, and clocks of
 * processes differ; no statement or pause inside a transaction lasts longer than 30 s.
 */
const lookBack = 120_000;

/**
 * Loads the revocations. Each is kept only as long as the tokens that it affects could live. A process learns of its
 * own revocations when it makes them and of others from their notices; the store has those whose notice was lost.
 */
export async function openRevocations(options: RevocationsOptions): Promise<Revocations> {
  const { database, clock, onFailure = () => {} } = options;
  const { isRevoked, onRevoked, add, forget } = createRevocationList();
  let lastLook = 0;

  const look = async () => {
    const now = clock.now();
    add(await readRevocations(database, lastLook - lookBack));
    lastLook = now;
    forget(now);
  };
  await look();

  return {
    isRevoked,
    onRevoked,
    async revoking(change) {
      let revoked: Revocation[] = [];
      const result = await database.transaction((tx) => {
        revoked = [];
        return change(tx, async (kind, subject) => {
          revoked.push(await storeRevocation(tx, { kind, subject, revokedAt: clock.now() }));
        });
      });
      add(revoked);
      return result;
    },
    worker: createRefresher({
      name: 'revocations',
      clock,
      pause: pauseBetweenLooks,
      listen: (wake) =>
        listenForRevocations(database, (told) => (told === undefined ? wake() : add([told]))),
      refresh: look,
      onFailure,
    }),
  };
}
