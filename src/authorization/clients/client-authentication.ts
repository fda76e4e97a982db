import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { hashSecret, isSecretOf } from '../../kernel/crypto/hash.ts';
import { OutboundError } from '../../kernel/outbound/guard-addresses.ts';
import { createOutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import type { OutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import { type Client, type FindClient, hasSecret } from '../model/client.ts';
import { type SpendId, signingAlgorithms } from '../protocol/dpop-proof.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** The client that credentials prove. */
export type AuthenticateClient = (
  credentials: ClientCredentials,
  /** Whose share of the remembered assertions one takes. */
  caller: string,
) => Promise<Client>;

/**
 * Checks the credentials of a client: a secret by its hash in constant time, in the header or in the
 * form alike; an assertion by the client's keys; none for a public client. A client that has
 * credentials must use them. Throws `invalid_client`, which does not tell an unknown client from a
 * wrong secret.
 */
export function createClientAuthentication(options: {
  readonly findClient: FindClient;
  readonly checkAssertion: CheckAssertion;
}): AuthenticateClient {
  const { findClient, checkAssertion } = options;
  return async (credentials, caller) => {
    const client = await findClient(credentials.clientId);
    if (client !== undefined && (await isProven(client, credentials, caller))) return client;
    throw new AuthorizationError(
      'invalid_client',
      'The client is unknown, or did not authenticate by the method that it registered: check client_id and credentials, or register again.',
    );
  };

  function isProven(
    client: Client,
    credentials: ClientCredentials,
    caller: string,
  ): boolean | Promise<boolean> {
    const { authentication, secretHash } = client;
    if (credentials.kind === 'none') return authentication === 'none';
    if (credentials.kind === 'assertion') {
      return (
        authentication === 'private_key_jwt' &&
        checkAssertion(client, credentials.assertion, caller)
      );
    }
    const isKept = hasSecret(authentication) && secretHash !== undefined;
    return isKept && isSecretOf(credentials.secret, secretHash);
  }
}

/** Whether an assertion is the client's, meant for this server, and used for the first time. */
type CheckAssertion = (client: Client, assertion: string, caller: string) => Promise<boolean>;

type CheckAssertionOptions = {
  /** What an assertion may be addressed to: the issuer, or the endpoint that it is sent to. */
  readonly audiences: readonly string[];
  /** The keys at the client's `jwks_uri`. */
  readonly keysAt: (jwksUri: string) => JWTVerifyGetKey;
  readonly spendId: SpendId;
  readonly clock: Clock;
};

const longestAssertion = authorizationLimits.assertionLife.value / 1_000;
const clockTolerance = 10;

/**
 * Checks `private_key_jwt` (RFC 7523 section 3): signature, issuer, subject, audience, which is nobody but this server,
 * expiry, single use. Some clients
 * let every assertion expire after an hour though they send it at once. It is still accepted only for a few minutes
 * after it was made, so that its id need not be remembered longer.
 */
export function createAssertionCheck(options: CheckAssertionOptions): CheckAssertion {
  const { audiences, keysAt, spendId, clock } = options;
  return async (client, assertion, caller) => {
    const keys = keysOf(client);
    if (keys === undefined) return false;
    const currentDate = new Date(clock.now());
    const verified = await jwtVerify(assertion, keys, {
      issuer: client.clientId,
      subject: client.clientId,
      audience: [...audiences],
      algorithms: signingAlgorithms,
      requiredClaims: ['exp', 'jti'],
      currentDate,
      clockTolerance,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError || error instanceof OutboundError) return undefined;
      throw error;
    });
    const { exp = 0, iat = exp, jti, aud } = verified?.payload ?? {};
    // One that also names somebody else may have been made for them (F92).
    if (![aud].flat().every((one) => one !== undefined && audiences.includes(one))) return false;
    const end = Math.min(exp, iat + longestAssertion) + clockTolerance;
    const left = end - clock.now() / 1_000;
    const isTimely = left > 0 && left <= longestAssertion + 2 * clockTolerance;
    if (typeof jti !== 'string' || !isTimely) return false;
    const id = hashSecret(`${client.clientId} ${jti}`);
    // A time may have a fraction (RFC 7519 section 2), which not every store keeps.
    return spendId(id, Math.ceil(end * 1_000), caller);
  };

  function keysOf({ jwks, jwksUri }: Client): JWTVerifyGetKey | undefined {
    // The registration has checked that it is a set of keys; jose checks each as it uses it.
    if (jwks !== undefined) return createLocalJWKSet(jwks as unknown as JSONWebKeySet);
    return jwksUri === undefined ? undefined : keysAt(jwksUri);
  }
}

/** Some 5 MB of keys at most. */
const setsKept = authorizationLimits.keySetsKept.value;

/**
 * The key sets at `jwks_uri` of clients, read only through the guarded outbound client (A7). A set is kept for ten
 * minutes, and read again earlier for a key that is not in it, at most every half minute; both are jose's own
 * defaults.
 */
export function createClientKeySets(outbound: OutboundHttp): (jwksUri: string) => JWTVerifyGetKey {
  const sets = createBoundedMap<string, JWTVerifyGetKey>(setsKept);
  const fetch = createOutboundFetch(outbound);
  const fetchKeys = (url: string, { signal }: { signal: AbortSignal }) =>
    fetch(url, { headers: { Accept: 'application/jwk-set+json, application/json' }, signal });
  return (jwksUri) => {
    const known = sets.get(jwksUri);
    if (known !== undefined) return known;
    const set = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: fetchKeys });
    sets.set(jwksUri, set);
    return set;
  };
}
