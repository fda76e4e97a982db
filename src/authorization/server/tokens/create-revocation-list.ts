import type { AccessTokenClaims } from '../../protocol/access-token.ts';
import { longestAccessToken } from '../model/lifetimes.ts';
import type { Revocation } from '../store/revocation-store.ts';

/** The claims that decide whether a token was revoked. */
export type RevocableClaims = Pick<
  AccessTokenClaims,
  'jti' | 'grant_id' | 'client_id' | 'scope' | 'iat'
>;

/** The known revocations, and the callbacks that wait for one. */
export type RevocationList = {
  /** Whether the token, its grant or its client was revoked, or the client has lost a scope of it since (F50). */
  isRevoked(claims: RevocableClaims): boolean;
  /** Calls back once the token is revoked, at once if it is; the returned function stops it. */
  onRevoked(claims: RevocableClaims, callback: () => void): () => void;
  /** Adds revocations; known ones change nothing. */
  add(revocations: readonly Revocation[]): void;
  /** Forgets revocations of which every token has expired. */
  forget(now: number): void;
};

/** For as long another process may issue tokens to a client as it remembers it, and its clock may be off by the rest. */
const stillIssued = 3_000;

export function createRevocationList(): RevocationList {
  /** When each revocation ends. All last equally long, so they end in order of arrival. */
  const known = new Map<string, number>();
  /** How many of them are scopes that clients lost, which hardly ever is any. */
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
      (lostScopes > 0 && scope.split(' ').some((each) => isLost(`${client_id} ${each}`, iat)))
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
