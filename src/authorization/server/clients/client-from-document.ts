import { parseJson } from '../../../kernel/text/parse-json.ts';
import { parseUrl } from '../../../kernel/text/parse-url.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { Scopes } from '../../protocol/scope.ts';
import { type Client, type ClientId, hasSecret, needsConsent } from '../model/client.ts';
import { clientFromMetadata } from '../model/client-from-metadata.ts';
import { parseClientMetadata } from './parse-client-metadata.ts';

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
export function clientFromDocument(
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
