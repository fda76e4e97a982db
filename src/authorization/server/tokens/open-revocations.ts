import type { Database } from '../../../kernel/database/database.ts';
import { createRefresher } from '../../../kernel/lifecycle/create-refresher.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { AccessTokenClaims } from '../../protocol/access-token.ts';
import {
  listenForRevocations,
  type Revocation,
  readRevocations,
} from '../store/revocation-store.ts';

/** What of a token tells whether it was revoked. */
type RevocableClaims = Pick<AccessTokenClaims, 'jti' | 'grant_id' | 'client_id'>;

/** The list of what no longer holds, as this process knows it. */
export type Revocations = {
  /** Whether the token, its grant or its client was revoked. Asks memory alone. */
  isRevoked(claims: RevocableClaims): boolean;
  /** Calls back once the token is revoked, at once if it is; the answer ends the wait. */
  onRevoked(claims: RevocableClaims, callback: () => void): () => void;
  /** Reads what is new. Whoever revokes awaits it, so that it holds at once in this process. */
  refresh(): Promise<void>;
  /** Keeps the list at most a second behind what other processes revoke. */
  readonly worker: Worker;
};

export type RevocationsOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
};

/** Rules R4 and S1 as this server reads them: elsewhere within 1 s, even if a wake-up was lost. */
const pauseBetweenLooks = 900;
/**
 * Each look goes back this far. A transaction may commit after a later one was seen, and clocks of
 * processes differ; no statement or pause inside a transaction lasts longer than 30 s.
 */
const lookBack = 120_000;

/** Loads the list. Nothing is kept longer than the tokens that it concerns could live. */
export async function openRevocations(options: RevocationsOptions): Promise<Revocations> {
  const { database, clock, onFailure = () => {} } = options;
  const known = new Map<string, Revocation>();
  const waiting = new Set<{ readonly claims: RevocableClaims; readonly callback: () => void }>();
  let lastRead = 0;
  await refresh();

  return {
    isRevoked,
    onRevoked(claims, callback) {
      if (isRevoked(claims)) {
        callback();
        return () => {};
      }
      const wait = { claims, callback };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    refresh,
    worker: createRefresher({
      name: 'revocations',
      clock,
      pause: pauseBetweenLooks,
      listen: (wake) => listenForRevocations(database, wake),
      refresh,
      onFailure,
    }),
  };

  function isRevoked({ jti, grant_id, client_id }: RevocableClaims): boolean {
    if (known.size === 0) return false;
    return (
      known.has(keyOf('token', jti)) ||
      (grant_id !== undefined && known.has(keyOf('grant', grant_id))) ||
      // Whenever it was issued: another process may have remembered the client a moment longer.
      known.has(keyOf('client', client_id))
    );
  }

  async function refresh(): Promise<void> {
    const now = clock.now();
    const read = await readRevocations(database, lastRead - lookBack);
    lastRead = now;
    let isNews = false;
    for (const revocation of read) {
      const key = keyOf(revocation.kind, revocation.subject);
      isNews ||= known.get(key)?.revokedAt !== revocation.revokedAt;
      known.set(key, revocation);
    }
    if (isNews) tellWaiting();
    for (const [key, { validUntil }] of known) {
      if (validUntil > now) break;
      known.delete(key);
    }
  }

  function tellWaiting(): void {
    for (const wait of waiting) {
      if (!isRevoked(wait.claims)) continue;
      waiting.delete(wait);
      wait.callback();
    }
  }
}

function keyOf(kind: Revocation['kind'], subject: string): string {
  return `${kind} ${subject}`;
}
