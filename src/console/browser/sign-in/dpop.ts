import { now } from '../clock.ts';
import { keep, readKept } from './key-store.ts';

/** What a proof is for (RFC 9449 section 4.2). */
export type ProvenCall = {
  readonly method: string;
  readonly url: string;
  readonly accessToken?: string;
};

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** By how many milliseconds the server's clock is ahead of this machine's, according to its answers. */
let serverAhead = 0;

/** Learns the server's time after it refused a proof as too early or too late. */
export function learnTime(response: Response): void {
  const told = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(told)) serverAhead = told - now();
}

/** A DPoP proof by this browser's key, which is generated at its first use and cannot be exported (K11). */
export async function proveCall({ method, url, accessToken }: ProvenCall): Promise<string> {
  const { privateKey, publicKey } = await keyPair();
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const claims = {
    jti: randomText(16),
    htm: method,
    htu: url.split(/[?#]/, 1)[0],
    iat: Math.floor((now() + serverAhead) / 1_000),
    ...(accessToken === undefined ? {} : { ath: await hashText(accessToken) }),
  };
  const signed = `${encodeText(JSON.stringify(header))}.${encodeText(JSON.stringify(claims))}`;
  const signature = await crypto.subtle.sign(signing, privateKey, new TextEncoder().encode(signed));
  return `${signed}.${encodeBytes(new Uint8Array(signature))}`;
}

/** The thumbprint by which a code is bound to the key before it is issued (RFC 9449 section 10). */
export async function keyThumbprint(): Promise<string> {
  const { publicKey } = await keyPair();
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  return hashText(JSON.stringify({ crv, kty, x, y }));
}

/** Random text for states and verifiers. */
export function randomText(bytes: number): string {
  return encodeBytes(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** base64url of the SHA-256. */
export async function hashText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

async function keyPair(): Promise<CryptoKeyPair> {
  const kept = await readKept<CryptoKeyPair>('key');
  if (kept !== undefined) return kept;
  const made = await crypto.subtle.generateKey(algorithm, false, ['sign']);
  await keep('key', made);
  return made;
}

function encodeText(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

function encodeBytes(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
