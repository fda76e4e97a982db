import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import type { Random } from '../../../kernel/random.ts';
import { type AccessTokenKey, writeTokenHeader } from '../../protocol/access-token.ts';
import type { StoredSigningKey } from '../store/signing-key-store.ts';

/** A key that signs access tokens for a while, and verifies them a while longer. */
export type SigningKey = AccessTokenKey & {
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** The public part as others read it (RFC 8037). */
  readonly jwk: PublicJwk;
  readonly madeAt: number;
  readonly signsFrom: number;
  readonly signsUntil: number;
};

export type PublicJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
};

/** Makes a key, ready to be stored: the seed, which is all of its private part, is sealed. */
export function makeSigningKey(options: {
  generation: number;
  madeAt: number;
  signsFrom: number;
  signsUntil: number;
  sealer: Sealer;
  random: Random;
}): StoredSigningKey {
  const { sealer, random, ...times } = options;
  const seed = Buffer.from(random.bytes(32));
  const publicKey = publicPartOf(createPublicKey(fromSeed(seed)));
  const kid = thumbprintOf(publicKey);
  return { ...times, kid, publicKey, sealed: sealer.seal(seed.toString('base64url'), kid) };
}

/** Opens a stored key. Throws `SealError` when it was sealed under another master key. */
export function openSigningKey(stored: StoredSigningKey, sealer: Sealer): SigningKey {
  const { generation, kid, madeAt, signsFrom, signsUntil } = stored;
  const privateKey = fromSeed(Buffer.from(sealer.open(stored.sealed, kid), 'base64url'));
  const publicKey = createPublicKey(privateKey);
  const x = publicPartOf(publicKey);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } as const;
  const tokenHeader = writeTokenHeader(kid);
  const times = { madeAt, signsFrom, signsUntil };
  return { generation, kid, privateKey, publicKey, tokenHeader, jwk, ...times };
}

/** What stands before the seed in the PKCS #8 form of an Ed25519 key (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function fromSeed(seed: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

function publicPartOf(publicKey: KeyObject): string {
  return String(publicKey.export({ format: 'jwk' }).x);
}

/** The thumbprint of RFC 7638, whose members stand in the order of their names. */
function thumbprintOf(x: string): string {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return createHash('sha256').update(members).digest('base64url');
}
