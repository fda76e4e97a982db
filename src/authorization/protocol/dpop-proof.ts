import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import { longestRequestUrl, parseUrl } from '../../kernel/text/url.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';

/**
 * Uses up an id that works once, and returns whether this was the first use. Each caller has a share of what is remembered
 * (N23): throws `temporarily_unavailable` beyond it.
 */
export type SpendId = (id: string, expiresAt: number, caller: string) => Promise<boolean>;

/** Returns the thumbprint of the key that signed a proof. Accepts each proof once. */
export type CheckProof = (
  proof: string,
  request: Omit<ProvenRequest, 'now'> & {
    /** Whose share of the remembered proofs it takes. */
    readonly caller: string;
  },
) => Promise<string>;

/** Checks DPoP proofs, and that none is used twice (A12). Throws `invalid_dpop_proof`. */
export function createProofCheck(options: {
  readonly spendId: SpendId;
  readonly clock: Clock;
}): CheckProof {
  const { spendId, clock } = options;
  return async (text, { caller, ...request }) => {
    const { thumbprint, id, expiresAt } = await readDpopProof(text, {
      ...request,
      now: clock.now(),
    });
    if (await spendId(id, expiresAt, caller)) return thumbprint;
    throw refusedProof('was used before');
  };
}

/** What a proof must be about. */
type ProvenRequest = {
  readonly method: string;
  /** The address that the client called; its query is not part of the proof. */
  readonly url: string;
  /** The access token that comes with it; none at the token endpoint. */
  readonly accessToken?: string;
  readonly now: number;
};

/** A proof whose signature and content are right. It counts only if its id was not used before. */
type DpopProof = {
  /** Thumbprint of the key it was signed with (RFC 7638). */
  readonly thumbprint: string;
  readonly id: string;
  /** Until when the id must be remembered. */
  readonly expiresAt: number;
};

/** How far the clock of a client may be off, and how long a proof may travel. */
const window = 60_000;

/**
 * Reads the `DPoP` header of a request (RFC 9449 section 4.3): one proof, signed by the key inside it
 * with an asymmetric algorithm, for this method, this address, this access token and about now.
 *
 * Does not check single use, nor that the key is the expected one. Throws `invalid_dpop_proof`.
 */
export async function readDpopProof(text: string, request: ProvenRequest): Promise<DpopProof> {
  const { protectedHeader, payload } = await jwtVerify(text, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: signingAlgorithms,
    currentDate: new Date(request.now),
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
  }).catch((cause: unknown) => {
    throw refusedProof('is malformed, or not signed by the key in its header', cause);
  });
  const { jti, htm, htu, iat = 0, ath } = payload;
  if (typeof jti !== 'string' || jti.length > 256)
    throw refusedProof('has no jti of at most 256 characters');
  if (htm !== request.method) throw refusedProof(`is not for the method ${request.method}`);
  if (!isSameAddress(htu, request.url)) throw refusedProof(`is not for ${addressOf(request.url)}`);
  const madeAt = iat * 1_000;
  if (Math.abs(madeAt - request.now) > window)
    throw refusedProof(
      `has an iat more than ${window / 1_000} seconds from the time of this server`,
    );
  if (request.accessToken !== undefined && ath !== hashOf(request.accessToken)) {
    throw refusedProof('has an ath that does not match the access token');
  }
  const { jwk } = protectedHeader;
  if (jwk === undefined) throw refusedProof('has no key in its header');
  const thumbprint = await calculateJwkThumbprint(jwk);
  return {
    thumbprint,
    id: hashSecret(`${thumbprint} ${jti}`),
    expiresAt: Math.ceil(madeAt + 2 * window),
  };
}

/** The refusal of a proof; the reason completes "The DPoP proof …". */
function refusedProof(reason: string, cause?: unknown): AuthorizationError {
  return new AuthorizationError(
    'invalid_dpop_proof',
    `The DPoP proof ${reason}: make a new one for each request, as RFC 9449 section 4.2 says.`,
    { cause },
  );
}

function isSameAddress(given: unknown, expected: string): boolean {
  const address = typeof given === 'string' ? addressOf(given) : undefined;
  return address !== undefined && address === addressOf(expected);
}

/** RFC 9449 section 4.3: compared without query and fragment, in the normal form of RFC 3986. */
function addressOf(url: string): string | undefined {
  const parsed = parseUrl(url, { longest: longestRequestUrl });
  return parsed && parsed.origin + parsed.pathname;
}

/** RFC 9449 section 4.1: base64url of the SHA-256 of the token. */
function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken, 'ascii').digest('base64url');
}

/** What clients may sign assertions and proofs with: asymmetric alone (RFC 9449 section 4.3). */
export const signingAlgorithms = ['Ed25519', 'EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'];
