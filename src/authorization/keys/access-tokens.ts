import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError, noneIfRefused } from '../authorization-error.ts';
import {
  type AccessTokenClaims,
  rememberVerified,
  signAccessToken,
} from '../protocol/access-token.ts';
import type { Scope } from '../protocol/scope.ts';
import type { Revocations } from './revocations.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The content of a new access token. */
export type NewAccessToken = {
  readonly subject: string;
  readonly clientId: string;
  readonly scope: readonly Scope[];
  readonly audiences: readonly string[];
  readonly grantId?: string;
  readonly identityProviderSessionId?: string | undefined;
  readonly dpopThumbprint: string | undefined;
};

type IssuedAccessToken = { readonly token: string; readonly expiresInSeconds: number };

/** The access tokens of this server (RFC 9068). None is stored, so a million live ones cost nothing. */
export type AccessTokens = {
  issue(wanted: NewAccessToken): IssuedAccessToken;
  /** The claims of a token that this server signed. Does not check time, audience or revocation. Throws `invalid_token`. */
  read(token: string): AccessTokenClaims;
  /** The claims of a token that is valid now, for any audience; `undefined` for any other text. */
  findLive(token: string): AccessTokenClaims | undefined;
  /** Whether a token is valid now: not expired, and neither it nor its grant or client revoked. */
  isLive(claims: AccessTokenClaims): boolean;
};

type AccessTokensOptions = {
  readonly issuer: string;
  readonly keys: SigningKeys;
  readonly revocations: Revocations;
  /** In milliseconds. */
  readonly lifetime: number;
  readonly clock: Clock;
  readonly random: Random;
};

export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { issuer, keys, revocations, clock, random } = options;
  const expiresInSeconds = Math.floor(options.lifetime / 1_000);
  // Token ids are unique, not secret: a counter after a random prefix of this process saves drawing for each.
  const series = drawText(random, 16);
  let count = 0;
  const readSigned = rememberVerified(keys.find);

  return {
    issue({ subject, clientId, scope, audiences, grantId, ...bound }) {
      const iat = Math.floor(clock.now() / 1_000);
      const [onlyAudience] = audiences;
      const isOne = audiences.length === 1 && onlyAudience !== undefined;
      const claims = {
        iss: issuer,
        aud: isOne ? onlyAudience : audiences,
        sub: subject,
        client_id: clientId,
        iat,
        exp: iat + expiresInSeconds,
        jti: `${series}-${(++count).toString(36)}`,
        scope: scope.join(' '),
        ...(grantId === undefined ? {} : { grant_id: grantId }),
        ...(bound.identityProviderSessionId === undefined
          ? {}
          : { sid: bound.identityProviderSessionId }),
        ...(bound.dpopThumbprint === undefined ? {} : { cnf: { jkt: bound.dpopThumbprint } }),
      };
      return { token: signAccessToken(claims, keys.current()), expiresInSeconds };
    },
    read,
    isLive,
    findLive(token) {
      try {
        const claims = read(token);
        return isLive(claims) ? claims : undefined;
      } catch (error) {
        return noneIfRefused(error);
      }
    },
  };

  function read(token: string): AccessTokenClaims {
    const claims = readSigned(token);
    if (claims.iss === issuer) return claims;
    throw new AuthorizationError(
      'invalid_token',
      `The access token names another issuer than ${issuer}: ask this server for one.`,
    );
  }

  function isLive(claims: AccessTokenClaims): boolean {
    return claims.exp * 1_000 > clock.now() && !revocations.isRevoked(claims);
  }
}
