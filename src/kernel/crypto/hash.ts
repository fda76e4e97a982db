import { hash as digest, hash, timingSafeEqual } from 'node:crypto';

/**
 * What is stored of a random secret such as a token: its SHA-256, in base64url. Not for passwords,
 * which people choose and others can guess.
 */
export function hashSecret(secret: string): string {
  return digest('sha256', secret, 'base64url');
}

/** Whether a secret is the one with this hash, compared in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const given = digest('sha256', secret, 'buffer');
  const stored = Buffer.from(hash, 'base64url');
  return given.length === stored.length && timingSafeEqual(given, stored);
}

/** Of SHA-256, in bytes. */
const blockSize = 64;
const digestSize = 32;

/**
 * HMAC-SHA256 (RFC 2104) under one key for many texts, as base64. Computes its two hashes with one call each,
 * since the object that `createHmac` makes for each text costs more than the hash and leaves garbage.
 */
export function createHmacSha256(key: Uint8Array): (text: string) => string {
  const fitting = key.length > blockSize ? hash('sha256', key, 'buffer') : key;
  const padded = (pad: number, size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, (_, index) => pad ^ (fitting[index] ?? 0)));
  const inner = padded(0x36, blockSize);
  // Its last bytes receive the digest of the inner hash.
  const outer = padded(0x5c, blockSize + digestSize);

  return (text) => {
    const message = Buffer.allocUnsafe(blockSize + Buffer.byteLength(text));
    message.set(inner);
    message.write(text, blockSize);
    outer.write(hash('sha256', message, 'binary'), blockSize, 'binary');
    return hash('sha256', outer, 'base64');
  };
}
