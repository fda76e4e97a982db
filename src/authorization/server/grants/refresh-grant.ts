import { callerHasLeft, onBehalfOfAll } from '../../../kernel/cancel/presence.ts';
import { hashSecret, isSecretOf } from '../../../kernel/crypto/secret-hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Random } from '../../../kernel/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { findGrantByRefreshId, rotateRefresh, type StoredGrant } from '../store/grant-store.ts';
import {
  hashesOf,
  makeSalt,
  parseRefreshToken,
  type RefreshToken,
  successorOf,
  writeRefreshToken,
} from '../tokens/refresh-token.ts';
import type { RevokeGrants } from './create-grants.ts';
import type { TokenIssuer } from './create-token-issuer.ts';
import type { GrantHandler, TokenRequest } from './token-request.ts';

export type RefreshGrantOptions = {
  readonly database: Database;
  readonly issuer: TokenIssuer;
  readonly revokeGrants: RevokeGrants;
  readonly refreshTokenLifetime: number;
  readonly clock: Clock;
  readonly random: Random;
};

/** How long an honest race may last: the predecessor is answered with the same successor (R2). */
const grace = 30_000;
/**
 * How much of its lifetime a grant must have lost before a refresh gives it all of it again: a new end is written
 * to an index, on PostgreSQL to all indexes of the row, and many refreshes in an hour would change nothing else.
 */
const shareLost = 0.01;

/**
 * `refresh_token`: new tokens for a refresh token, which is spent by it. The predecessor is accepted for a moment
 * while the successor is unused (R2); any other token of the family that was spent before the request came is reuse,
 * which revokes the grant and is told of (R1). What counts is when the request came, and that its caller still waits: a
 * process may stand still. The scope may be smaller than what was granted, never larger, and the new refresh token
 * stands for all of the grant again (RFC 6749 section 6).
 */
export function refreshGrant(options: RefreshGrantOptions): GrantHandler {
  const { database, issuer, revokeGrants, refreshTokenLifetime, clock, random } = options;

  return async (request) => {
    const cameAt = clock.now();
    const token = parseRefreshToken(request.form.require('refresh_token'));
    if (token === undefined) throw unknownToken();
    const hashes = hashesOf(token);
    const grant = await find(hashes.refreshId, request);
    const content = issuer.narrow(request, grant);
    const successor =
      grant.refresh?.hash === hashes.refreshHash
        ? await rotate({ token, hashes, grant, request, cameAt })
        : (repeat(token, grant, cameAt) ?? (await refuse(grant, cameAt)));
    const refreshToken = writeRefreshToken(successor);
    return issuer.answer({ request, grant, content, refreshToken });
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
    // Whoever was faster has stored another salt, which leads both to one successor.
    const same = repeat(token, await find(hashes.refreshId, request), cameAt);
    // The token was good when it came, so this is no reuse: the request stood still until others had gone on.
    if (same === undefined) throw overtaken();
    return same;
  }

  async function refuse(grant: StoredGrant, cameAt: number): Promise<never> {
    const spentAt = grant.refresh?.previous?.spentAt;
    // Its token may have been good when it came or was sent: others have spent one since. Nothing is given for it
    // either way, and a caller that has left gains nothing by it.
    if ((spentAt !== undefined && cameAt < spentAt) || callerHasLeft()()) throw overtaken();
    // Also if the caller leaves now.
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
