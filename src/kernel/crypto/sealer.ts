import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { DomainError } from '../model/domain-error.ts';
import type { Random } from '../model/random.ts';

/** Encrypts secrets that must be read again, such as keys and foreign tokens, for the store. */
export type Sealer = {
  /** `context` names the row of the secret: moved to another row, the secret no longer opens. */
  seal(plain: string, context: string): string;
  /** Throws {@link SealError} when it was sealed for another purpose or context, or by another key. */
  open(sealed: string, context: string): string;
};

const [nonceBytes, tagBytes] = [12, 16];

/**
 * Seals with AES-256-GCM under a key of its own for each purpose, such as `signing-keys`, derived
 * from the master key by HKDF. A random nonce is safe for 2^32 seals of a purpose (NIST SP 800-38D,
 * 8.3).
 */
export function createSealer(options: {
  masterKey: Uint8Array;
  purpose: string;
  random: Random;
}): Sealer {
  const { masterKey, purpose, random } = options;
  const key = new Uint8Array(hkdfSync('sha256', masterKey, '', `tradewind ${purpose}`, 32));

  return {
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        const body = bytes.subarray(nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SealError(
          'NOT_OPENED',
          `A stored secret (${purpose}) does not open: it was sealed under another key. Start with the data directory, the TRADEWIND_SECRET_KEY or the password of PostgreSQL it was written with, or let tradewind keys reseal seal them under the new one.`,
          { cause: error },
        );
      }
    },
  };
}

/** A sealed secret, or the key that seals them all, cannot be opened with what this process has. */
export class SealError extends DomainError<'NOT_OPENED'> {}
