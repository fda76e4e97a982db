import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createRefresher, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { longestAccessToken } from '../model/grant.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';
import {
  listenForRevocations,
  type Revocation,
  readRevocations,
  storeRevocation,
} from '../store/revocation-store.ts';

/** The revocations that this process knows. */
export type Revocations = Pick<RevocationList, 'isRevoked' | 'onRevoked'> & {
  /** Runs a change in one transaction. Its revocations take effect with the commit, in this process at once. */
  revoking<T>(change: (tx: Transaction, revoke: Revoke) => Promise<T>): Promise<T>;
  /** Keeps the list at most a second behind what other processes revoke. */
  readonly worker: Worker;
};

/** Revokes in the transaction of a change. */
export type Revoke = (kind: Revocation['kind'], subject: string) => Promise<void>;

type RevocationsOptions = {
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

/** The claims that decide whether a token was revoked. */
type RevocableClaims = Pick<AccessTokenClaims, 'jti' | 'grant_id' | 'client_id' | 'scope' | 'iat'>;

/** The known revocations, and the callbacks that wait for one. */
type RevocationList = {
  /**
   * Whether the token, its grant or its client was revoked, or the client has lost a scope of it since, or the right to
   * act for itself, by which it got a token without a grant (F50).
   */
  isRevoked(claims: RevocableClaims): boolean;
  /** Calls back once the token is revoked, at once if it is; the returned function stops it. */
  onRevoked(claims: RevocableClaims, callback: () => void): () => void;
  /** Adds revocations; known ones change nothing. */
  add(revocations: readonly Revocation[]): void;
  /** Forgets revocations of which every token has expired. */
  forget(now: number): void;
};

/** Stands where the name of a lost scope does; no scope has spaces in its name. */
export const actingForItself = 'acting for itself';

/** For as long another process may issue tokens to a client as it remembers it, and its clock may be off by the rest. */
const stillIssued = 3_000;

function createRevocationList(): RevocationList {
  /** When each revocation ends. All last equally long, so they end in order of arrival. */
  const known = new Map<string, number>();
  /** How many of them are scopes that clients lost, or the right to act for themselves, which hardly ever is any. */
  let lostScopes = 0;
  const waiting = new Set<{ readonly claims: RevocableClaims; readonly callback: () => void }>();

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
    add(revocations) {
      let isNews = false;
      for (const { kind, subject, validUntil } of revocations) {
        const key = keyOf(kind, subject);
        if (known.get(key) === validUntil) continue;
        isNews = true;
        if (!known.delete(key) && kind === 'scope') lostScopes += 1;
        known.set(key, validUntil);
      }
      if (isNews) tellWaiting();
    },
    forget(now) {
      for (const [key, validUntil] of known) {
        if (validUntil > now) break;
        known.delete(key);
        if (key.startsWith(keyOf('scope', ''))) lostScopes -= 1;
      }
    },
  };

  function isRevoked({ jti, grant_id, client_id, scope, iat }: RevocableClaims): boolean {
    if (known.size === 0) return false;
    return (
      known.has(keyOf('token', jti)) ||
      (grant_id !== undefined && known.has(keyOf('grant', grant_id))) ||
      // Whenever it was issued: another process may have cached the client a moment longer.
      known.has(keyOf('client', client_id)) ||
      (lostScopes > 0 &&
        (scope.split(' ').some((each) => isLost(`${client_id} ${each}`, iat)) ||
          (grant_id === undefined && isLost(`${client_id} ${actingForItself}`, iat))))
    );
  }

  /** Whether a client lost a scope after a token was issued. It may have got it back, for later tokens. */
  function isLost(subject: string, iat: number): boolean {
    const until = known.get(keyOf('scope', subject));
    return until !== undefined && iat * 1_000 <= until - longestAccessToken + stillIssued;
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
