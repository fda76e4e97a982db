import { createPrivateKey, sign } from 'node:crypto';
import { createHmacSha256 } from '../../kernel/crypto/hash.ts';
import type { Random } from '../../kernel/model/random.ts';

/** The purpose under which stored signing secrets are sealed. */
export const signingSecretPurpose = 'signing secrets of webhooks';

/** A key that deliveries are signed with (Standard Webhooks 1.0). */
export type SigningKey = {
  /** `v1` is HMAC-SHA256, `v1a` is Ed25519. */
  readonly scheme: 'v1' | 'v1a';
  /** The signature in base64. */
  sign(content: string): string;
};

/** The rule of {@link parseSigningSecrets}, for error messages. */
export const signingSecretForm =
  'must be whsec_ followed by the base64 of 24 to 64 bytes, whsk_ followed by that of an Ed25519 private key, or several separated by spaces';

/** Standard Webhooks: between 24 and 64 bytes. */
const [fewestBytes, mostBytes] = [24, 64];
/** The head of a PKCS #8 document around the 32 bytes of an Ed25519 key (RFC 8410 section 7). */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new secret, `whsec_` and base64 (E10.24). */
export function makeSigningSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;
}

/**
 * Reads secrets separated by spaces: `whsec_` for HMAC-SHA256, `whsk_` for a private Ed25519 key, of
 * which 32 bytes are the key and 64 the key with its public half. Undefined where one is malformed.
 */
export function parseSigningSecrets(text: string): SigningKey[] | undefined {
  const keys = text.split(' ').map(parseSecret);
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? known : undefined;
}

function parseSecret(secret: string): SigningKey | undefined {
  const match = /^(whsec|whsk)_([A-Za-z0-9+/]+={0,2})$/.exec(secret);
  if (match === null) return undefined;
  const bytes = Buffer.from(match[2] ?? '', 'base64');
  if (match[1] === 'whsec') {
    const fits = bytes.length >= fewestBytes && bytes.length <= mostBytes;
    return fits ? { scheme: 'v1', sign: createHmacSha256(bytes) } : undefined;
  }
  if (bytes.length !== 32 && bytes.length !== 64) return undefined;
  const der = Buffer.concat([ed25519Head, bytes.subarray(0, 32)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    scheme: 'v1a',
    sign: (content) => sign(null, Buffer.from(content), key).toString('base64'),
  };
}
