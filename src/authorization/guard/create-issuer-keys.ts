import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { onBehalfOfAll } from '../../kernel/cancel/presence.ts';
import { rememberAnswer } from '../../kernel/memory/remember-answers.ts';
import { parseJson } from '../../kernel/text/parse-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { readJson } from './read-json.ts';

/** What a guard knows about a remote authorization server. */
export type IssuerKeys = {
  /** Fetches the keys if none are known yet, or if they lack the key that a token names. */
  prepare(token: string): Promise<void>;
  find(kid: string): KeyObject | undefined;
  endpoints(): Promise<IssuerEndpoints>;
};

export type IssuerEndpoints = { readonly jwks: string; readonly introspection: string };

/** A key that is withdrawn is forgotten after this time. */
const keysKeptFor = 600_000;
/** Tokens that name made-up keys must not make the guard fetch without end. */
const pauseBetweenReads = 30_000;

/**
 * The published keys of an issuer, found through its metadata (RFC 8414), or at the default paths of this
 * product if the metadata is switched off. Keys are published a day before they sign, so that reading them again
 * every ten minutes is early enough.
 */
export function createIssuerKeys(options: {
  readonly issuer: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}): IssuerKeys {
  const { issuer, clock } = options;
  let keys = new Map<string, KeyObject>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const found = rememberAnswer({ clock, ask: discover });

  return {
    async prepare(token) {
      const age = clock.now() - readAt;
      const isKnown = keys.has(kidOf(token));
      if (isKnown && age < keysKeptFor) return;
      if (age < pauseBetweenReads) return;
      reading ??= onBehalfOfAll(readKeys).finally(() => {
        reading = undefined;
      });
      // A token with a known key can be verified even if the issuer is unreachable for a moment.
      await reading.catch((error: unknown) => {
        if (!isKnown) throw error;
      });
    },
    find: (kid) => keys.get(kid),
    endpoints: found.get,
  };

  async function readKeys(): Promise<void> {
    const { jwks } = await found.get();
    const document = await readJson(options, jwks);
    const published: unknown[] = Array.isArray(document?.keys) ? document.keys : [];
    keys = new Map(published.flatMap(readKey));
    readAt = clock.now();
  }

  async function discover(): Promise<IssuerEndpoints> {
    const document = await readJson(options, `${issuer}/.well-known/oauth-authorization-server`);
    if (document !== undefined && document.issuer !== issuer) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        `The metadata at ${issuer} names another issuer: give the guard the issuer exactly as the metadata does.`,
      );
    }
    const { jwks_uri = `${issuer}/jwks`, introspection_endpoint = `${issuer}/introspect` } =
      document ?? {};
    return { jwks: String(jwks_uri), introspection: String(introspection_endpoint) };
  }
}

/** Reads keys that have a `kid`, on the two curves that this product signs with. It skips all others. */
function readKey(jwk: unknown): [string, KeyObject][] {
  if (typeof jwk !== 'object' || jwk === null) return [];
  const { kid, kty, crv, x, y } = jwk as Record<string, unknown>; // any object can be looked into
  if (typeof kid !== 'string') return [];
  if (kty === 'OKP' && crv === 'Ed25519') return [[kid, open({ kty, crv, x: String(x) })]];
  if (kty !== 'EC' || crv !== 'P-256') return [];
  return [[kid, open({ kty, crv, x: String(x), y: String(y) })]];
}

function open(key: JsonWebKey): KeyObject {
  return createPublicKey({ key, format: 'jwk' });
}

/** The `kid` in the header of a token, if it can be read. Does not verify the token. */
function kidOf(token: string): string {
  try {
    const header = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8');
    return String(Object(parseJson(header)).kid);
  } catch {
    return '';
  }
}
