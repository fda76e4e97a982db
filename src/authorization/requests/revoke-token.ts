import type { Database } from '../../kernel/database/database.ts';
import { countRequest } from '../../kernel/edge/limit-rate.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { Grants } from '../grants/grants.ts';
import { hashesOf, parseRefreshToken } from '../grants/refresh-token.ts';
import type { AccessTokens } from '../keys/access-tokens.ts';
import type { Revocations } from '../keys/revocations.ts';
import { authorizationLimits } from '../limits.ts';
import type { Client } from '../model/client.ts';
import { findGrantByRefreshId } from '../store/grant-store.ts';

type RevokeTokenOptions = {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  readonly grants: Pick<Grants, 'revoke'>;
  readonly revocations: Revocations;
  readonly clock: Clock;
};

/**
 * Revokes a token of the client: a refresh token with everything of its grant, an access token alone
 * (RFC 7009 section 2.1). A token that is unknown or another client's stays as it is, and the answer
 * does not tell (R4).
 */
export function revokeToken(options: RevokeTokenOptions) {
  const { database, accessTokens, grants, revocations, clock } = options;
  const name = 'revocations';
  const { value: perMinute } = authorizationLimits.revocations;
  const limiter = createRateLimiter({ database, clock, name, perMinute });
  const limit = { limiter, policy: name, windowSeconds: 60 };

  return async (client: Client, token: string, caller: string): Promise<void> => {
    const refreshToken = parseRefreshToken(token);
    if (refreshToken !== undefined) {
      const grant = await findGrantByRefreshId(database, hashesOf(refreshToken).refreshId);
      if (grant?.clientId !== client.clientId) return;
      // A page of this server acts without asking for consent, so leaving it takes no consent back.
      await grants.revoke(grant.id, { isSignOut: client.isOwnPage === true });
      return;
    }
    const claims = accessTokens.findLive(token);
    if (claims?.client_id !== client.clientId) return;
    // A client that acts for itself can get any number of tokens, and every process remembers each revoked one.
    await countRequest(limit, caller);
    await revocations.revoking((_, revoke) => revoke('token', claims.jti));
  };
}
