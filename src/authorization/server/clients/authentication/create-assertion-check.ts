import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { hashSecret } from '../../../../kernel/crypto/secret-hash.ts';
import { OutboundError } from '../../../../kernel/outbound-http/outbound-error.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import { authorizationLimits } from '../../../limits.ts';
import type { SpendId } from '../../../protocol/create-proof-check.ts';
import { signingAlgorithms } from '../../../protocol/signing-algorithms.ts';
import type { Client } from '../../model/client.ts';

/** Whether an assertion is the client's, meant for this server, and used for the first time. */
export type CheckAssertion = (
  client: Client,
  assertion: string,
  caller: string,
) => Promise<boolean>;

export type CheckAssertionOptions = {
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
 * Checks `private_key_jwt` (RFC 7523 section 3): signature, issuer, subject, audience, expiry, single use. Some clients
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
    const { exp = 0, iat = exp, jti } = verified?.payload ?? {};
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
