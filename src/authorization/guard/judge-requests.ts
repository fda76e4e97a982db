import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';
import type { CheckProof } from '../protocol/dpop-proof.ts';
import { isAudienceOf } from '../protocol/resource.ts';
import { type PresentedToken, readToken, writeChallenge } from './challenge.ts';
import type { Guard, Principal, Refusal, Requirement } from './principal.ts';

/** What a guard needs from its environment, in the server's own process or in another. */
export type GuardDependencies = {
  /** The claims of a token that the authorization server signed. Throws `invalid_token`. */
  readonly read: (token: string) => AccessTokenClaims | Promise<AccessTokenClaims>;
  /** Whether neither the token nor anything that it depends on was revoked. Need not check its expiry. */
  readonly isLive: (claims: AccessTokenClaims, token: string) => boolean | Promise<boolean>;
  /** Calls back when the token is revoked, if that is known here; the returned function stops listening. */
  readonly onRevoked?: (claims: AccessTokenClaims, callback: () => void) => () => void;
  readonly resourceOf: (url: URL) => RequestedResource;
  readonly checkProof: CheckProof;
  /** Whether a web page of another origin sent the request. Absent where that does not matter. */
  readonly isForeignPage?: (request: Request) => boolean;
  readonly clock: Clock;
};

/** What a request is for. */
export type RequestedResource = {
  /** As `parseResource` spells it. */
  readonly resource: string;
  /** Where it is described. */
  readonly metadata: string;
  /** The origin by which the client calls the server, whatever name a proxy uses for this process. */
  readonly origin: string;
};

const nothingSpecial: Requirement = { scope: [] };

/**
 * Checks each request on its own, in this order: is there a token (S1, S4), did our server sign it, has it
 * expired, is it for this resource (L2), was it revoked, does its sender hold its key (RFC 9449), did a
 * person agree to what a foreign page does with it (N2), is its scope sufficient (S2). Between requests it
 * remembers only valid signatures (S3).
 */
export function judgeRequests(dependencies: GuardDependencies): Guard {
  const { read, isLive, onRevoked, resourceOf, checkProof, isForeignPage, clock } = dependencies;

  const check: Guard['check'] = async (request, requirement = nothingSpecial) => {
    const url = new URL(request.url);
    const { resource, metadata, origin } = resourceOf(url);
    const presented = readToken(request);
    const { scheme = 'Bearer' } = presented ?? {};
    const challenge = { scheme, resourceMetadata: metadata };
    const needed = requirement.suggestedScope ?? namedScope(requirement);
    if (presented === undefined) {
      const message =
        'This request needs an access token: send it in the header "Authorization: Bearer ...".';
      const challenges = [writeChallenge({ ...challenge, scope: needed })];
      return { refusal: { status: 401, reason: 'missing', message, challenges } };
    }
    try {
      const claims = await read(presented.token);
      if (claims.exp * 1_000 <= clock.now()) throw new TokenExpired();
      if (![claims.aud].flat().some((audience) => isAudienceOf(audience, resource))) {
        throw invalid(`The access token is not for ${resource}: ask for one with this resource.`);
      }
      if (!(await isLive(claims, presented.token))) {
        throw invalid('The access token was revoked: authorize again.');
      }
      await checkPossession(claims, presented, { request, url: origin + url.pathname });
      const principal: Principal = {
        ...principalOf(claims),
        ...(onRevoked && { onRevoked: (callback) => onRevoked(claims, callback) }),
      };
      if (!principal.isPerson && isForeignPage?.(request)) throw noPerson();
      return hasScope(principal, requirement)
        ? { principal }
        : { refusal: refuseScope(requirement, challenge) };
    } catch (error) {
      if (!isAboutToken(error)) throw error;
      return { refusal: refuseToken(error, { ...challenge, scope: needed }) };
    }
  };

  /** RFC 9449 section 7: a bound token needs a proof by its key, and an unbound one takes none. */
  async function checkPossession(
    { cnf, sub, client_id }: AccessTokenClaims,
    { scheme, token }: PresentedToken,
    { request, url }: { request: Request; url: string },
  ): Promise<void> {
    if (cnf === undefined && scheme === 'Bearer') return;
    if (cnf === undefined || scheme === 'Bearer') {
      throw invalid(
        cnf === undefined
          ? 'The access token is not bound to a key: send it in "Authorization: Bearer ...".'
          : 'The access token is bound to a key: send it in "Authorization: DPoP ..." with a proof.',
      );
    }
    const { method, headers } = request;
    const proof = headers.get('dpop') ?? '';
    const caller = `${sub} ${client_id}`;
    const thumbprint = await checkProof(proof, { method, url, accessToken: token, caller });
    if (thumbprint !== cnf.jkt) {
      throw invalid(
        'The access token is bound to another key than that of the DPoP proof: sign the proof with the key of the token.',
      );
    }
  }

  return {
    check,
    async protect(request, requirement) {
      try {
        const { principal, refusal } = await check(request, requirement);
        return principal ?? writeRefusal(refusal);
      } catch (error) {
        if (!isPassing(error)) throw error;
        return writeUnavailable(error);
      }
    },
  };
}

/** Whether the error concerns the token or its proof. Any other error is a failure on our side. */
function isAboutToken(error: unknown): error is AuthorizationError | TokenExpired {
  if (error instanceof TokenExpired) return true;
  return error instanceof AuthorizationError && !isPassing(error);
}

/** The authorization server had to be asked and did not answer. */
function isPassing(error: unknown): error is AuthorizationError {
  return error instanceof AuthorizationError && error.code === 'temporarily_unavailable';
}

function principalOf(claims: AccessTokenClaims): Principal {
  return {
    subject: claims.sub,
    clientId: claims.client_id,
    isPerson: claims.grant_id !== undefined,
    ...(claims.grant_id === undefined ? {} : { grantId: claims.grant_id }),
    scope: claims.scope === '' ? [] : claims.scope.split(' '),
    tokenId: claims.jti,
    expiresAt: claims.exp * 1_000,
  };
}

function hasScope({ scope }: Principal, requirement: Requirement): boolean {
  const { scope: needed, isAnyEnough, oneOfEach = [] } = requirement;
  const has = (one: string) => scope.includes(one);
  if (!oneOfEach.every((some) => some.some(has))) return false;
  return needed.length === 0 || (isAnyEnough ? needed.some(has) : needed.every(has));
}

type ChallengeStart = Pick<Parameters<typeof writeChallenge>[0], 'scheme' | 'resourceMetadata'>;

/** The scopes that a challenge names. A client would ask for all scopes that it names (L5). */
function namedScope({ scope, isAnyEnough, oneOfEach = [] }: Requirement): readonly string[] {
  const named = isAnyEnough ? scope.slice(0, 1) : scope;
  return [...new Set([...named, ...oneOfEach.map(([first = '']) => first)])];
}

function refuseScope(requirement: Requirement, challenge: ChallengeStart): Refusal {
  const { scope, isAnyEnough } = requirement;
  const error = 'insufficient_scope';
  const all = isAnyEnough ? [scope.join(' or ')] : scope;
  const some = (requirement.oneOfEach ?? []).map((one) => one.join(' or '));
  const needed = [...all, ...some].filter(Boolean).join(' and ');
  const message = `The access token does not have the scope ${needed}: authorize again and ask for it.`;
  const challenges = [
    writeChallenge({
      ...challenge,
      error,
      errorDescription: message,
      scope: namedScope(requirement),
    }),
  ];
  return { status: 403, reason: error, error, message, challenges };
}

function refuseToken(
  error: AuthorizationError | TokenExpired,
  challenge: ChallengeStart & { scope: readonly string[] },
): Refusal {
  const { message } = error;
  const isProof = error instanceof AuthorizationError && error.code === 'invalid_dpop_proof';
  const code = isProof ? 'invalid_dpop_proof' : 'invalid_token';
  return {
    status: 401,
    reason: error instanceof TokenExpired ? 'expired' : 'invalid',
    error: code,
    message,
    challenges: [writeChallenge({ ...challenge, error: code, errorDescription: message })],
  };
}

function writeRefusal({ status, error, message, challenges }: Refusal): Response {
  const body = { error, error_description: message };
  const response = Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
  for (const challenge of challenges) response.headers.append('WWW-Authenticate', challenge);
  return response;
}

/** The caller may try again: the token could not be checked yet. */
function writeUnavailable({ code, message }: AuthorizationError): Response {
  const headers = { 'Cache-Control': 'no-store', 'Retry-After': '1' };
  return Response.json({ error: code, error_description: message }, { status: 503, headers });
}

function noPerson(): AuthorizationError {
  return invalid(
    'No person consented to this access token, so a web page of another origin cannot use it: get one by an authorization code, with the consent of a person.',
  );
}

function invalid(message: string): AuthorizationError {
  return new AuthorizationError('invalid_token', message);
}

/** A class of its own because services explain this failure to callers in their own words. */
class TokenExpired extends Error {
  constructor() {
    super('The access token has expired: refresh it or authorize again.');
  }
}
