import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';

/** Proves with each request that its sender holds the key that the token is bound to (RFC 9449). */
export type DpopProver = {
  /** The private key, to be kept with the token. */
  readonly key: JWK;
  prove(request: ProvedRequest): Promise<string>;
};

type ProvedRequest = {
  readonly method: string;
  readonly url: string;
  /** Absent at the token endpoint. */
  readonly accessToken?: string;
  /** The last nonce that the server sent. */
  readonly nonce?: string | undefined;
};

const algorithm = 'ES256';

export async function createDpopKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return exportJWK(privateKey);
}

/** A prover for a key that {@link createDpopKey} made. Proofs are never alike. */
export async function createDpopProver(
  key: JWK,
  { clock, random }: { clock: Clock; random: Random },
): Promise<DpopProver> {
  const privateKey = await importJWK(key, algorithm);
  const { kty, crv, x, y } = key;
  return {
    key,
    async prove({ method, url, accessToken, nonce }) {
      const { origin, pathname } = new URL(url);
      const claims = {
        jti: drawText(random, 16),
        htm: method,
        htu: `${origin}${pathname}`,
        ...(accessToken === undefined ? {} : { ath: sha256(accessToken) }),
        ...(nonce === undefined ? {} : { nonce }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ typ: 'dpop+jwt', alg: algorithm, jwk: { kty, crv, x, y } as JWK })
        .setIssuedAt(Math.floor(clock.now() / 1_000))
        .sign(privateKey);
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'ascii').digest('base64url');
}
