import type { AccessTokenClaims } from '../../protocol/access-token.ts';
import type { Revocation } from '../store/revocation-store.ts';

/** The claims that decide whether a token was revoked. */
export type RevocableClaims = Pick<AccessTokenClaims, 'jti' | 'grant_id' | 'client_id'>;

/** The known revocations, and the callbacks that wait for one. */
export type RevocationList = {
  /** Whether the token, its grant or its client was revoked. */
  isRevoked(claims: RevocableClaims): boolean;
  /** Calls back once the token is revoked, at once if it is; the returned function stops it. */
  onRevoked(claims: RevocableClaims, callback: () => void): () => void;
  /** Adds revocations; known ones change nothing. */
  add(revocations: readonly Revocation[]): void;
  /** Forgets revocations of which every token has expired. */
  forget(now: number): void;
};

export function createRevocationList(): RevocationList {
  /** When each revocation ends. All last equally long, so they end in order of arrival. */
  const known = new Map<string, number>();
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
        known.delete(key);
        known.set(key, validUntil);
      }
      if (isNews) tellWaiting();
    },
    forget(now) {
      for (const [key, validUntil] of known) {
        if (validUntil > now) break;
        known.delete(key);
      }
    },
  };

  function isRevoked({ jti, grant_id, client_id }: RevocableClaims): boolean {
    if (known.size === 0) return false;
    return (
      known.has(keyOf('token', jti)) ||
      (grant_id !== undefined && known.has(keyOf('grant', grant_id))) ||
      // Whenever it was issued: another process may have cached the client a moment longer.
      known.has(keyOf('client', client_id))
    );
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
