import type { Queries } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { AccessTokens, NewAccessToken } from '../keys/access-tokens.ts';
import type { Client } from '../model/client.ts';
import type { Grant } from '../model/grant.ts';
import { fitScope, type Scope, type Scopes } from '../protocol/scope.ts';
import { beginGrant, type StoredGrant } from '../store/grant-store.ts';
import { hashesOf, makeRefreshToken, writeRefreshToken } from './refresh-token.ts';
import {
  narrowAudiences,
  narrowScope,
  type TokenAnswer,
  type TokenContent,
  type TokenRequest,
} from './token-request.ts';

/** What the handlers of grant types with a person share. */
export type TokenIssuer = {
  /**
   * The scopes and audiences of a token of this grant: what the request asks for, within what the client may still
   * have. Throws `invalid_grant` if the client may have none of the scopes any more.
   */
  narrow(request: TokenRequest, grant: Grant): TokenContent;
  /**
   * Begins the grant, in the transaction that spends its code: from then on it lasts as long as its tokens.
   * Returns the refresh token, if the client may have one.
   */
  begin(tx: Queries, request: TokenRequest, grant: StoredGrant): Promise<string | undefined>;
  answer(options: {
    request: TokenRequest;
    grant: Grant;
    content: TokenContent;
    refreshToken: string | undefined;
  }): TokenAnswer;
};

type TokenIssuerOptions = {
  readonly issuer: string;
  readonly scopes: Scopes;
  readonly accessTokens: AccessTokens;
  readonly accessTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly clock: Clock;
  readonly random: Random;
};

export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { issuer, scopes, accessTokens, clock, random } = options;

  return {
    narrow({ form, client }, { scope, resources }) {
      const audiences = narrowAudiences(form, {
        origin: issuer,
        granted: resources.length > 0 ? resources : [issuer],
      });
      // The client's scopes may have been reduced since the person allowed them.
      const allowed = scope.filter((one) => client.scope.includes(one));
      if (allowed.length === 0) throw nothingLeft(scope, client);
      const asked = narrowScope(form, { scopes, allowed });
      return { scope: fitScope(asked, { audiences, scopes }), audiences };
    },
    async begin(tx, request, grant) {
      const { client } = request;
      const mayRefresh = client.grantTypes.includes('refresh_token');
      const token = mayRefresh ? makeRefreshToken(random) : undefined;
      const lifetime = mayRefresh ? options.refreshTokenLifetime : options.accessTokenLifetime;
      const hasBegun = await beginGrant(tx, grant.id, {
        expiresAt: clock.now() + lifetime,
        refresh: token && { ...hashesOf(token), dpopThumbprint: refreshBinding(request) },
      });
      if (!hasBegun) throw revoked();
      return token && writeRefreshToken(token);
    },
    answer({ request, grant, content, refreshToken }) {
      const wanted = {
        ...content,
        subject: grant.accountId,
        clientId: grant.clientId,
        grantId: grant.id,
        identityProviderSessionId: grant.identityProviderSessionId,
        dpopThumbprint: request.dpopThumbprint,
      };
      return answerTokens({ accessTokens, wanted, refreshToken });
    },
  };
}

/**
 * The key that a refresh token is bound to: that of a public client which proved one. A confidential
 * client is bound by its own authentication and may change keys (RFC 9449 section 5).
 */
function refreshBinding({ client, dpopThumbprint }: TokenRequest): string | undefined {
  return client.authentication === 'none' ? dpopThumbprint : undefined;
}

function nothingLeft(granted: readonly Scope[], client: Client): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    `The person allowed "${granted.join(' ')}", but this client may now have only "${client.scope.join(' ')}": ask the person for one of these scopes.`,
  );
}

function revoked(): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    'The grant of this code was revoked in the meantime: ask the person again.',
  );
}

/** Issues an access token and writes the token response (RFC 6749 section 5.1). */
export function answerTokens(options: {
  readonly accessTokens: AccessTokens;
  readonly wanted: NewAccessToken;
  readonly refreshToken?: string | undefined;
}): TokenAnswer {
  const { accessTokens, wanted, refreshToken } = options;
  const { token, expiresInSeconds } = accessTokens.issue(wanted);
  return {
    access_token: token,
    token_type: wanted.dpopThumbprint === undefined ? 'Bearer' : 'DPoP',
    expires_in: expiresInSeconds,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: wanted.scope.join(' '),
  };
}
