import { hash as digest, timingSafeEqual } from 'node:crypto';

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
