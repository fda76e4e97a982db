import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { Grants } from '../grants/create-grants.ts';
import type { Client } from '../model/client.ts';
import { findGrantByRefreshId } from '../store/grant-store.ts';
import { storeRevocation } from '../store/revocation-store.ts';
import type { AccessTokens } from '../tokens/create-access-tokens.ts';
import type { Revocations } from '../tokens/open-revocations.ts';
import { hashesOf, parseRefreshToken } from '../tokens/refresh-token.ts';

export type RevokeTokenOptions = {
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

  return async (client: Client, token: string): Promise<void> => {
    const refreshToken = parseRefreshToken(token);
    if (refreshToken !== undefined) {
      const grant = await findGrantByRefreshId(database, hashesOf(refreshToken).refreshId);
      if (grant?.clientId === client.clientId) await grants.revoke(grant.id);
      return;
    }
    const tokenId = idOfOwn(client, token);
    if (tokenId === undefined) return;
    await database.transaction((tx) =>
      storeRevocation(tx, { kind: 'token', subject: tokenId, revokedAt: clock.now() }),
    );
    await revocations.refresh();
  };

  function idOfOwn(client: Client, token: string): string | undefined {
    try {
      const claims = accessTokens.read(token);
      const isOwn = claims.client_id === client.clientId && accessTokens.isLive(claims);
      return isOwn ? claims.jti : undefined;
    } catch (error) {
      if (error instanceof AuthorizationError) return undefined;
      throw error;
    }
  }
}
