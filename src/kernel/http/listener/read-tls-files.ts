import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ListenerError } from './listener-error.ts';

/** Paths of PEM files: the certificate with its chain, and its private key. */
export type TlsFiles = { readonly certPath: string; readonly keyPath: string };

/** Reads both files and proves that they belong together. Throws `TLS_FILES_UNUSABLE`. */
export async function readTlsFiles({ certPath, keyPath }: TlsFiles) {
  try {
    const [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    throw new ListenerError(
      'TLS_FILES_UNUSABLE',
      `The certificate ${certPath} and the key ${keyPath} cannot be used together: TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY must name readable PEM files of one pair.`,
      { cause },
    );
  }
}
