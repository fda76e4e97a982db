import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Random } from '../../kernel/model/random.ts';
import {
  type AccessTokenKey,
  algorithmOf,
  type KeyAlgorithm,
  writeTokenHeader,
} from '../protocol/access-token.ts';
import type { StoredSigningKey } from '../store/signing-key-store.ts';

/** A key that signs access tokens for a while, and verifies them a while longer. */
export type SigningKey = AccessTokenKey & {
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly algorithm: KeyAlgorithm;
  /** The public part as others read it (RFC 7517). */
  readonly jwk: PublicJwk;
  readonly madeAt: number;
  readonly signsFrom: number;
  readonly signsUntil: number;
};

export type PublicJwk = JsonWebKey & {
  readonly kid: string;
  readonly alg: KeyAlgorithm;
  readonly use: 'sig';
};

/**
 * Makes a key, ready to be stored: its private part is sealed. It signs by ES256, which every
 * library knows ([decision 27](../../../../docs/decisions/0027-tokens-are-signed-by-es256.md)).
 */
export function makeSigningKey(options: {
  generation: number;
  madeAt: number;
  signsFrom: number;
  signsUntil: number;
  sealer: Sealer;
  random: Random;
}): StoredSigningKey {
  const { sealer, random, ...times } = options;
  const secret = drawSecret(random);
  const jwk = publicPartOf(createPublicKey(fromSecret(secret)));
  const kid = thumbprintOf(jwk);
  const publicKey = `${jwk.x}.${jwk.y}`;
  return { ...times, kid, publicKey, sealed: sealer.seal(secret.toString('base64url'), kid) };
}

/** Opens a stored key. Throws `SealError` when it was sealed under another master key. */
export function openSigningKey(stored: StoredSigningKey, sealer: Sealer): SigningKey {
  const { generation, kid, madeAt, signsFrom, signsUntil } = stored;
  const secret = Buffer.from(sealer.open(stored.sealed, kid), 'base64url');
  // Keys made before ES256 have one public number, and sign by EdDSA until they retire.
  const privateKey = stored.publicKey.includes('.') ? fromSecret(secret) : fromSeed(secret);
  const publicKey = createPublicKey(privateKey);
  const algorithm = algorithmOf(publicKey);
  const jwk = { ...publicPartOf(publicKey), kid, alg: algorithm, use: 'sig' } as const;
  const tokenHeader = writeTokenHeader(kid, algorithm);
  const times = { madeAt, signsFrom, signsUntil };
  return { generation, kid, algorithm, privateKey, publicKey, tokenHeader, jwk, ...times };
}

/** A random private key of P-256. One of 2^32 draws is out of range, and is drawn again. */
function drawSecret(random: Random): Buffer {
  for (;;) {
    const secret = Buffer.from(random.bytes(32));
    try {
      createECDH('prime256v1').setPrivateKey(secret);
      return secret;
    } catch (error) {
      if (!isOutOfRange(error)) throw error;
    }
  }
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_INVALID_KEYTYPE';
}

function fromSecret(secret: Buffer): KeyObject {
  const exchange = createECDH('prime256v1');
  exchange.setPrivateKey(secret);
  // A byte for the format, then the two coordinates of the point.
  const point = exchange.getPublicKey();
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33);
  const d = secret.toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' });
}

/** The bytes before the seed in the PKCS #8 form of an Ed25519 key (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function fromSeed(seed: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

function publicPartOf(publicKey: KeyObject): JsonWebKey {
  return publicKey.export({ format: 'jwk' });
}

/** The thumbprint of RFC 7638, whose members are in alphabetical order. */
function thumbprintOf({ crv, kty, x, y }: JsonWebKey): string {
  const members = JSON.stringify({ crv, kty, x, y });
  return createHash('sha256').update(members).digest('base64url');
}
