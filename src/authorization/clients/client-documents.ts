import { OutboundError } from '../../kernel/outbound/guard-addresses.ts';
import type { OutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import { parseJson } from '../../kernel/text/json.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import {
  type Client,
  type ClientId,
  clientFromMetadata,
  hasSecret,
  needsConsent,
} from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import { parseClientMetadata } from './parse-client-metadata.ts';

/** Clients whose id is the address of a document that describes them. */
export type ClientDocuments = {
  /** Throws `invalid_client` where the document cannot be read or does not describe a client, and says why. */
  find(clientId: string): Promise<Client>;
};

type Outcome = { readonly client: Client } | { readonly refusal: AuthorizationError };
type Kept = { readonly outcome: Outcome; readonly until: number };

/** Documents are a page of text; the draft suggests 5 KiB. */
const largestDocument = authorizationLimits.clientDocument.value;
const timeoutMs = 5_000;
/** Some 2 MB at the most. */
const documentsKept = authorizationLimits.clientDocumentsKept.value;
/** Anyone can make this server fetch a document, so only few fetches run at once. */
const mostAtOnce = authorizationLimits.clientDocumentsAtOnce.value;
const [shortestKeptMs, defaultKeptMs, longestKeptMs] = [60_000, 300_000, 3_600_000];
/** How long a failure is remembered, so that a broken client does not hammer its own host through us. */
const failureKeptMs = 10_000;

/**
 * Reads client ID metadata documents (draft-ietf-oauth-client-id-metadata-document) only through the guarded
 * outbound client, follows no redirect, and caches a document for as long as it allows, within bounds.
 */
export function createClientDocuments(options: {
  readonly outbound: Pick<OutboundHttp, 'request'>;
  readonly scopes: Scopes;
  readonly clock: Clock;
}): ClientDocuments {
  const { outbound, scopes, clock } = options;
  const kept = createBoundedMap<string, Kept>(documentsKept);
  const reading = new Map<string, Promise<Outcome>>();

  const read = async (clientId: string): Promise<Kept> => {
    try {
      const response = await outbound.request({
        method: 'GET',
        url: clientId,
        headers: { Accept: 'application/json' },
        timeoutMs,
        maxResponseBytes: largestDocument,
      });
      const now = clock.now();
      const client = clientFromDocument(clientId, { ...response, scopes, now });
      return { outcome: { client }, until: now + keptMs(response.headers['cache-control']) };
    } catch (error) {
      return { outcome: { refusal: explain(error) }, until: clock.now() + failureKeptMs };
    }
  };

  const readOnce = async (clientId: string): Promise<Outcome> => {
    if (reading.size >= mostAtOnce) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        'Too many client metadata documents are being read at the moment: try again later.',
      );
    }
    const outcome = onBehalfOfAll(() => read(clientId)).then((result) => {
      kept.set(clientId, result);
      return result.outcome;
    });
    reading.set(clientId, outcome);
    return outcome.finally(() => reading.delete(clientId));
  };

  return {
    async find(clientId) {
      const known = kept.get(clientId);
      const outcome =
        known !== undefined && known.until > clock.now()
          ? known.outcome
          : await (reading.get(clientId) ?? readOnce(clientId));
      if ('refusal' in outcome) throw outcome.refusal;
      // The scopes of this server may have changed since the document was read.
      return { ...outcome.client, scope: scopes.names() };
    },
  };
}

/**
 * The reason of a failed call is not shown: strangers could use it to explore networks that only this server
 * reaches.
 */
function explain(error: unknown): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  if (!(error instanceof OutboundError)) throw error;
  return new AuthorizationError(
    'invalid_client',
    'The client metadata document could not be read from the URL that is the client id: it must be public, served over HTTPS, answer within 5 seconds and hold at most 16 KiB.',
    { cause: error },
  );
}

function keptMs(cacheControl: string | string[] | undefined): number {
  const maxAge = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(String(cacheControl ?? ''))?.[1];
  const wanted = maxAge === undefined ? defaultKeptMs : Number(maxAge) * 1_000;
  return Math.min(Math.max(wanted, shortestKeptMs), longestKeptMs);
}

/** Whether a client id has the form of a document's address: HTTPS with a path, in its one spelling, no fragment. */
export function isClientDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://')) return false;
  const url = parseUrl(clientId);
  return (
    url?.href === clientId &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !clientId.includes('#')
  );
}

/**
 * The client that a document describes. The document must name its own address as `client_id`, and
 * can hold no secret, for anyone may read it. It never acts for itself: no person would have agreed to
 * it. Throws `invalid_client`.
 */
function clientFromDocument(
  clientId: string,
  answer: {
    readonly status: number;
    readonly body: Uint8Array;
    readonly scopes: Scopes;
    readonly now: number;
  },
): Client {
  if (answer.status !== 200) throw invalid(`answers ${answer.status} instead of 200`);
  const { scopes } = answer;
  const document = readObject(answer.body);
  if (document.client_id !== clientId) {
    throw invalid('names another client_id than the address it was read from');
  }
  const { client_secret, client_secret_expires_at, ...described } = document;
  if (client_secret !== undefined || client_secret_expires_at !== undefined) {
    throw invalid('holds a secret, which everyone can read');
  }
  try {
    const metadata = parseClientMetadata(described, {
      scopes,
      defaultAuthentication: 'none',
    });
    if (hasSecret(metadata.authentication)) {
      throw invalid('declares an authentication by a secret, which no public document can hold');
    }
    const grantTypes = metadata.grantTypes.filter(needsConsent);
    return clientFromMetadata(
      { ...metadata, grantTypes },
      {
        clientId: clientId as ClientId, // it names the document that was just read there
        origin: 'document',
        secretHash: undefined,
        createdAt: answer.now,
      },
      scopes,
    );
  } catch (error) {
    if (!(error instanceof AuthorizationError) || error.code === 'invalid_client') throw error;
    throw invalid(`cannot be used: ${error.message}`, error);
  }
}

function readObject(body: Uint8Array): Record<string, unknown> {
  try {
    const parsed: unknown = parseJson(Buffer.from(body).toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>; // what JSON has for objects
  } catch {
    // falls through to the error below
  }
  throw invalid('is not a JSON object');
}

function invalid(reason: string, cause?: unknown): AuthorizationError {
  return new AuthorizationError(
    'invalid_client',
    `The client metadata document ${reason}: its publisher must correct it.`,
    { cause },
  );
}
