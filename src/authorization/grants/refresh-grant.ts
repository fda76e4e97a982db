import { hashSecret, isSecretOf } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { callerHasLeft, onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { findGrantByRefreshId, rotateRefresh, type StoredGrant } from '../store/grant-store.ts';
import type { RevokeGrants } from './grants.ts';
import {
  hashesOf,
  makeSalt,
  parseRefreshToken,
  type RefreshToken,
  successorOf,
  writeRefreshToken,
} from './refresh-token.ts';
import type { TokenIssuer } from './token-issuer.ts';
import type { GrantHandler, TokenRequest } from './token-request.ts';

type RefreshGrantOptions = {
  readonly database: Database;
  readonly tokenIssuer: TokenIssuer;
  readonly revokeGrants: RevokeGrants;
  readonly refreshTokenLifetime: number;
  readonly clock: Clock;
  readonly random: Random;
};

/** How long a spent refresh token is still accepted: an honest race gets the same successor (R2). */
const grace = 30_000;
/**
 * The share of its lifetime that a grant must have lost before a refresh extends it. A new expiry is written to an
 * index, on PostgreSQL to all indexes of the row; other refreshes write to none.
 */
const shareLost = 0.01;

/**
 * `refresh_token`: exchanges a refresh token for new tokens, which spends it. The predecessor is accepted for a moment
 * while the successor is unused (R2). Any other token of the family that was spent before the request arrived is reuse,
 * which revokes the grant and publishes an event (R1). The time of arrival counts, and that the caller still waits,
 * because a process may stall. The scope may be smaller than what was granted, never larger, and the new refresh token
 * covers the whole grant again (RFC 6749 section 6).
 */
export function refreshGrant(options: RefreshGrantOptions): GrantHandler {
  const { database, tokenIssuer, revokeGrants, refreshTokenLifetime, clock, random } = options;

  return async (request) => {
    const cameAt = clock.now();
    const token = parseRefreshToken(request.form.require('refresh_token'));
    if (token === undefined) throw unknownToken();
    const hashes = hashesOf(token);
    const grant = await find(hashes.refreshId, request);
    const content = tokenIssuer.narrow(request, grant);
    const successor =
      grant.refresh?.hash === hashes.refreshHash
        ? await rotate({ token, hashes, grant, request, cameAt })
        : (repeat(token, grant, cameAt) ?? (await refuse(grant, cameAt)));
    const refreshToken = writeRefreshToken(successor);
    return tokenIssuer.answer({ request, grant, content, refreshToken });
  };

  async function find(refreshId: string, request: TokenRequest): Promise<StoredGrant> {
    const { client, dpopThumbprint } = request;
    const grant = await findGrantByRefreshId(database, refreshId);
    if (grant === undefined || grant.clientId !== client.clientId) throw unknownToken();
    if (grant.expiresAt <= clock.now()) throw unknownToken();
    const bound = grant.refresh?.dpopThumbprint;
    if (bound !== undefined && bound !== dpopThumbprint) {
      throw new AuthorizationError(
        'invalid_grant',
        'The refresh token is bound to a key: send a DPoP proof by the key that it was issued to.',
      );
    }
    return grant;
  }

  async function rotate(spent: {
    readonly token: RefreshToken;
    readonly hashes: ReturnType<typeof hashesOf>;
    readonly grant: StoredGrant;
    readonly request: TokenRequest;
    readonly cameAt: number;
  }): Promise<RefreshToken> {
    const { token, hashes, grant, request, cameAt } = spent;
    const salt = makeSalt(random);
    const successor = successorOf(token, salt);
    const now = clock.now();
    const isLostEnough = now + refreshTokenLifetime * (1 - shareLost) > grant.expiresAt;
    const isRotated = await rotateRefresh(database, {
      id: grant.id,
      from: hashes.refreshHash,
      to: hashSecret(successor.secret),
      salt,
      now,
      expiresAt: isLostEnough ? now + refreshTokenLifetime : undefined,
    });
    if (isRotated) return successor;
    // A faster request has stored another salt, with which both derive the same successor.
    const same = repeat(token, await find(hashes.refreshId, request), cameAt);
    // The token was valid when it arrived, so this is no reuse: the request stalled while others rotated further.
    if (same === undefined) throw overtaken();
    return same;
  }

  async function refuse(grant: StoredGrant, cameAt: number): Promise<never> {
    const spentAt = grant.refresh?.previous?.spentAt;
    // The token may have been valid when it was sent or arrived, and another request has spent it since. This request
    // gets no tokens either way, so a caller that has disconnected gains nothing.
    if ((spentAt !== undefined && cameAt < spentAt) || callerHasLeft()()) throw overtaken();
    // Continues even if the caller disconnects now.
    await onBehalfOfAll(() =>
      revokeGrants({ id: grant.id }, { topic: 'authorization.reuse-detected' }),
    );
    throw new AuthorizationError(
      'invalid_grant',
      'This refresh token was used before, so its grant is revoked: ask the person again.',
    );
  }
}

/** The successor of a token that was spent, within the grace. */
function repeat(token: RefreshToken, grant: StoredGrant, cameAt: number): RefreshToken | undefined {
  const previous = grant.refresh?.previous;
  const isRace =
    previous !== undefined &&
    isSecretOf(token.secret, previous.hash) &&
    cameAt <= previous.spentAt + grace;
  return isRace ? successorOf(token, previous.salt) : undefined;
}

function overtaken(): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    'This refresh token was spent by later requests while this one waited: use the newest refresh token.',
  );
}

function unknownToken(): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    'This refresh token is unknown, expired, revoked or not for this client: ask the person again.',
  );
}
