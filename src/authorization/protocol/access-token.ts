import { type KeyObject, sign, verify } from 'node:crypto';
import { parseJson } from '../../kernel/text/json.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';

/** The claims of an access token (RFC 9068 section 2.2). */
export type AccessTokenClaims = {
  readonly iss: string;
  readonly aud: string | readonly string[];
  /** The person's account id, or the client's id where it acts for itself. */
  readonly sub: string;
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly scope: string;
  /** The person's grant that the token belongs to. Absent where the client acts for itself. */
  readonly grant_id?: string;
  /** The session at the identity provider by which the person signed in. */
  readonly sid?: string;
  /** The key that the sender must prove to hold (RFC 9449 section 6.1). */
  readonly cnf?: { readonly jkt: string };
};

/** How keys sign: new ones by ES256, older ones by EdDSA until they retire (RFC 7518, RFC 8037). */
export type KeyAlgorithm = 'ES256' | 'EdDSA';

export type AccessTokenKey = {
  readonly privateKey: KeyObject;
  /** What {@link writeTokenHeader} gives for the key. */
  readonly tokenHeader: string;
};

/** The header of every access token that a key signs, encoded. */
export function writeTokenHeader(kid: string, alg: KeyAlgorithm): string {
  return encode({ alg, typ: 'at+jwt', kid });
}

/** The one algorithm of a key, private or public: it signs by no other. */
export function algorithmOf({ asymmetricKeyType }: KeyObject): KeyAlgorithm {
  return asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
}

/**
 * Signs an access token with Node's synchronous call instead of a library: it costs a fifth of the
 * asynchronous ones (bench/authorization).
 */
export function signAccessToken(claims: AccessTokenClaims, key: AccessTokenKey): string {
  const signed = `${key.tokenHeader}.${encode(claims)}`;
  return `${signed}.${signText(signed, key.privateKey).toString('base64url')}`;
}

function signText(text: string, key: KeyObject): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return algorithmOf(key) === 'EdDSA'
    ? sign(null, bytes, key)
    : fromDer(sign('sha256', bytes, key));
}

function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const bytes = Buffer.from(text);
  if (algorithmOf(key) === 'EdDSA') return verify(null, bytes, key, signature);
  const der = toDer(signature);
  return der !== undefined && verify('sha256', bytes, key, der);
}

/**
 * The claims of an access token that one of the keys signed. The header must have exactly the form that
 * {@link signAccessToken} writes, so a token cannot choose how it is checked: no other algorithm, no key
 * or key address of its own, no type but `at+jwt` (RFC 9068 section 4).
 *
 * Does not check issuer, audience, expiry or revocation. Throws `invalid_token`.
 */
export function readAccessToken(
  token: string,
  findKey: (kid: string) => KeyObject | undefined,
): AccessTokenClaims {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) throw malformed();
  const { kid, alg } = readHeader(header);
  const key = findKey(kid);
  if (key === undefined) {
    throw new AuthorizationError(
      'invalid_token',
      'The access token was signed by a key that the authorization server does not publish: ask for a new token.',
    );
  }
  if (algorithmOf(key) !== alg) throw malformed();
  const bytes = Buffer.from(signature, 'base64url');
  // The decoder accepts several spellings of the same bytes; a token may have only the canonical one.
  const isSpelledOnce = bytes.toString('base64url') === signature;
  if (!isSpelledOnce || !isSignedBy(key, `${header}.${payload}`, bytes)) {
    throw malformed();
  }
  const claims = decode(payload);
  if (!isAccessTokenClaims(claims)) throw malformed();
  return claims;
}

function readHeader(header: string): { kid: string; alg: unknown } {
  const { alg, typ, kid, ...others } = decode(header);
  const isOurs = typ === 'at+jwt' && Object.keys(others).length === 0;
  if (!isOurs || typeof kid !== 'string') throw malformed();
  return { kid, alg };
}

function isAccessTokenClaims(
  claims: Record<string, unknown>,
): claims is Record<string, unknown> & AccessTokenClaims {
  const { aud, iat, exp, grant_id, sid, cnf } = claims;
  const isAudience = Array.isArray(aud) ? aud.every(isText) && aud.length > 0 : isText(aud);
  return (
    isAudience &&
    [claims.iss, claims.sub, claims.client_id, claims.jti, claims.scope].every(isText) &&
    [iat, exp].every(Number.isSafeInteger) &&
    [grant_id, sid].every((text) => text === undefined || isText(text)) &&
    (cnf === undefined || (isRecord(cnf) && isText(cnf.jkt)))
  );
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw malformed(cause);
  }
  throw malformed();
}

function malformed(cause?: unknown): AuthorizationError {
  return new AuthorizationError(
    'invalid_token',
    'The access token is not one that this authorization server issued: ask for a new token.',
    { cause },
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some 10 MB of usual tokens and their claims, and 100 MB at most. A forgotten token is verified again. */
const tokensKept = authorizationLimits.tokensKept.value;
/** In characters. A token with a resource has some 600. */
const longestKept = 4_096;

type Verified = {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
};

/**
 * Reads tokens as `readAccessToken` does, and remembers which had a good signature, as verifying one costs more than
 * everything else about a request. It asks for the key each time: a token is forgotten with its key (N21). Expiry,
 * revocation and audience must still be checked each time.
 */
export function rememberVerified(
  findKey: (kid: string) => KeyObject | undefined,
): (token: string) => AccessTokenClaims {
  const verified = createBoundedMap<string, Verified>(tokensKept);
  return (token) => {
    const known = verified.get(token);
    if (known !== undefined && isSame(known.key, findKey(known.kid))) return known.claims;
    let by: Pick<Verified, 'kid' | 'key'> | undefined;
    const claims = readAccessToken(token, (kid) => {
      const key = findKey(kid);
      by = key && { kid, key };
      return key;
    });
    if (token.length <= longestKept && by !== undefined) verified.set(token, { claims, ...by });
    return claims;
  };
}

/** Keys that were read again are other objects; under the same id there may be another key. */
function isSame(key: KeyObject, found: KeyObject | undefined): boolean {
  return found !== undefined && (found === key || found.equals(key));
}

/**
 * A P-256 signature has two encodings: JSON Web Signatures concatenate its two numbers of 32 bytes (RFC 7518
 * section 3.4), and OpenSSL uses DER. Node.js can convert them too, by `dsaEncoding`, but that costs more than
 * the signature itself.
 */
const numberBytes = 32;

/** The signature as tokens carry it. Does not check that the DER is well formed: it comes from OpenSSL. */
export function fromDer(der: Buffer): Buffer {
  const raw = Buffer.alloc(2 * numberBytes);
  let at = 2; // behind the tag and the length of the sequence
  for (const end of [numberBytes, 2 * numberBytes]) {
    const length = der[at + 1] ?? 0;
    const from = at + 2;
    at = from + length;
    // DER writes a number as short as possible, or with a leading zero that keeps it positive.
    const isPadded = length > numberBytes;
    der.copy(raw, isPadded ? end - numberBytes : end - length, isPadded ? from + 1 : from, at);
  }
  return raw;
}

/** The signature as OpenSSL reads it; `undefined` for one of another length. */
export function toDer(raw: Buffer): Buffer | undefined {
  if (raw.length !== 2 * numberBytes) return undefined;
  const numbers = [raw.subarray(0, numberBytes), raw.subarray(numberBytes)].map(writeInteger);
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

function writeInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const isNegative = (bytes[start] ?? 0) >= 0x80;
  const digits = bytes.subarray(start);
  const padded = isNegative ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  return Buffer.concat([Buffer.from([0x02, padded.length]), padded]);
}
