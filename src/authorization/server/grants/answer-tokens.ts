import type { AccessTokens, NewAccessToken } from '../tokens/create-access-tokens.ts';
import type { TokenAnswer } from './token-request.ts';

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
