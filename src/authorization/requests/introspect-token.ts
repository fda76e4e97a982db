import { isSecretOf } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { hashesOf, parseRefreshToken } from '../grants/refresh-token.ts';
import type { AccessTokens } from '../keys/access-tokens.ts';
import type { SessionStatus } from '../model/account.ts';
import type { Client } from '../model/client.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';
import { isAudienceOf } from '../protocol/resource.ts';
import type { Scopes } from '../protocol/scope.ts';
import { findGrantByRefreshId } from '../store/grant-store.ts';

/** The answer about a token (RFC 7662 section 2.2). */
export type Introspection = { readonly active: boolean; readonly [claim: string]: unknown };

type IntrospectTokenOptions = {
  readonly issuer: string;
  /** Every address that tokens of this server may be for. */
  readonly resources: () => readonly string[];
  readonly scopes: Scopes;
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  /** Whether a session at the identity provider is still valid. */
  readonly sessionStatus: () => Pick<SessionStatus, 'isAlive'>;
  readonly clock: Clock;
};

const inactive: Introspection = { active: false };

/**
 * Answers a client about a token. Every client may ask about its own tokens, and a client that the
 * operator made also about access tokens for other servers, as it may be the guard of one. For any
 * other token, and for an invalid one, the answer is only that it is not active (R4), so that probing
 * reveals nothing.
 */
export function introspectToken(options: IntrospectTokenOptions) {
  const { issuer, resources, scopes, database, accessTokens, sessionStatus, clock } = options;

  return async (client: Client, token: string): Promise<Introspection> => {
    if (client.authentication === 'none') {
      throw new AuthorizationError(
        'invalid_client',
        'Only a client that authenticates may introspect tokens: register it with a secret or a key.',
      );
    }
    const refreshToken = parseRefreshToken(token);
    if (refreshToken === undefined) return introspectAccess(client, token);
    const grant = await findGrantByRefreshId(database, hashesOf(refreshToken).refreshId);
    const isLive =
      grant?.refresh !== undefined &&
      grant.expiresAt > clock.now() &&
      isSecretOf(refreshToken.secret, grant.refresh.hash);
    if (!isLive || grant.clientId !== client.clientId) return inactive;
    return {
      active: true,
      iss: issuer,
      sub: grant.accountId,
      client_id: grant.clientId,
      scope: grant.scope.join(' '),
      exp: Math.floor(grant.expiresAt / 1_000),
    };
  };

  async function introspectAccess(client: Client, token: string): Promise<Introspection> {
    const claims = accessTokens.findLive(token);
    if (claims === undefined || !maySee(client, claims)) return inactive;
    if (claims.sid !== undefined && !(await sessionStatus().isAlive(claims.sid))) return inactive;
    const { grant_id, sid, ...told } = claims;
    // A token for a removed resource is inactive to everyone.
    if (![claims.aud].flat().some(isServed)) return inactive;
    const scope = claims.scope.split(' ').filter(scopes.has).join(' ');
    return {
      active: true,
      ...told,
      scope,
      token_type: claims.cnf === undefined ? 'Bearer' : 'DPoP',
    };
  }

  function isServed(audience: string): boolean {
    return resources().some((one) => isAudienceOf(one, audience));
  }

  function maySee(client: Client, { client_id, aud }: AccessTokenClaims): boolean {
    if (client_id === client.clientId) return true;
    const isForUs = [aud].flat().some((one) => one === issuer || isAudienceOf(issuer, one));
    return client.origin === 'operator' && !isForUs;
  }
}
