import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { parseJson, readJson as readAnswer } from '../../kernel/text/json.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { withDeadline } from '../../kernel/wait/deadline.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { rememberAnswer, rememberAnswers } from '../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';

/** What a guard knows about a remote authorization server. */
type IssuerKeys = {
  /** Fetches the keys if none are known yet, or if they lack the key that a token names. */
  prepare(token: string): Promise<void>;
  find(kid: string): KeyObject | undefined;
  endpoints(): Promise<IssuerEndpoints>;
};

type IssuerEndpoints = { readonly jwks: string; readonly introspection: string };

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

type IntrospectionOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoints: () => Promise<IssuerEndpoints>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
};

/** A revoked token is refused within a second. */
const answersKeptFor = 1_000;
const answersKept = 10_000;

/** Asks the authorization server whether a token is still active (RFC 7662), at most once a second for each token. */
export function createIntrospection(options: IntrospectionOptions) {
  const { clientId, clientSecret, endpoints, clock } = options;
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const headers = {
    Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const answers = rememberAnswers<boolean>({ keptFor: answersKeptFor, most: answersKept, clock });

  return ({ jti }: AccessTokenClaims, token: string): Promise<boolean> =>
    answers.get(jti, () => ask(token));

  async function ask(token: string): Promise<boolean> {
    const { introspection } = await endpoints();
    const body = new URLSearchParams({ token }).toString();
    const answer = await readJson(options, introspection, { method: 'POST', headers, body });
    return answer?.active === true;
  }
}

/** Long for an answer of a few hundred bytes; every request of the protected server may wait for it. */
const patience = 5_000;

/** As much as our client reads of such a document. */
const mostBytes = 512 * 1024;

/**
 * Fetches a JSON document from the authorization server. Returns `undefined` for a 404. Throws
 * `temporarily_unavailable` for every other failure.
 */
export async function readJson(
  { fetch: send, clock }: { readonly fetch: typeof fetch; readonly clock: Clock },
  url: string,
  init: RequestInit = {},
): Promise<Record<string, unknown> | undefined> {
  try {
    return await withDeadline({ clock, milliseconds: patience }, async (signal) => {
      const response = await send(url, { redirect: 'error', signal, ...init });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`It answered with status ${response.status}.`);
      const body = await readAnswer(response, { mostBytes });
      if (typeof body !== 'object' || body === null)
        throw new Error('It did not answer with a JSON object.');
      return body as Record<string, unknown>; // an object, as the line above has checked
    });
  } catch (cause) {
    throw new AuthorizationError(
      'temporarily_unavailable',
      `The authorization server did not answer at ${url}: try again in a moment.`,
      { cause },
    );
  }
}
