import { onBehalfOfAll } from '../../../kernel/cancel/presence.ts';
import { createBoundedMap } from '../../../kernel/collections/bounded-map.ts';
import type { OutboundHttp } from '../../../kernel/outbound-http/create-outbound-http.ts';
import { OutboundError } from '../../../kernel/outbound-http/outbound-error.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { Client } from '../model/client.ts';
import { clientFromDocument } from './client-from-document.ts';

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
