import type { Database } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { AccessTokens } from '../keys/access-tokens.ts';
import { type GrantType, grantTypes } from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import { grantClientCredentials } from './grant-client-credentials.ts';
import type { Grants, RevokeGrants } from './grants.ts';
import { redeemCode } from './redeem-code.ts';
import { redeemDeviceCode } from './redeem-device-code.ts';
import { refreshGrant } from './refresh-grant.ts';
import { createTokenIssuer } from './token-issuer.ts';
import type { GrantHandler } from './token-request.ts';

type GrantHandlersOptions = {
  readonly issuer: string;
  readonly scopes: Scopes;
  /** Every address that tokens of this server may be for, as `parseResource` spells them. */
  readonly resources: () => readonly string[];
  readonly database: Database;
  readonly grants: Grants & { readonly revokeGrants: RevokeGrants };
  readonly accessTokens: AccessTokens;
  readonly accessTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly clock: Clock;
  readonly random: Random;
};

/** Every grant type with its handler. The implicit and password grants do not exist (R1). */
export function createGrantHandlers(
  options: GrantHandlersOptions,
): Readonly<Record<GrantType, GrantHandler>> {
  const { grants } = options;
  const tokenIssuer = createTokenIssuer(options);
  return {
    authorization_code: redeemCode({ ...options, tokenIssuer }),
    refresh_token: refreshGrant({ ...options, tokenIssuer, revokeGrants: grants.revokeGrants }),
    client_credentials: grantClientCredentials(options),
    'urn:ietf:params:oauth:grant-type:device_code': redeemDeviceCode({ ...options, tokenIssuer }),
  };
}

/** Throws `unsupported_grant_type` for any other. */
export function parseGrantType(text: string): GrantType {
  const known = grantTypes.find((grantType) => grantType === text);
  if (known !== undefined) return known;
  throw new AuthorizationError(
    'unsupported_grant_type',
    `There is no grant "${text.slice(0, 100)}" here: use one of ${grantTypes.join(', ')}.`,
  );
}
