import { decodeJwt } from 'jose';
import { AuthorizationError } from '../authorization-error.ts';
import type { Form } from '../protocol/form.ts';

/** The client credentials of a request. */
export type ClientCredentials =
  | { readonly clientId: string; readonly kind: 'none' }
  | { readonly clientId: string; readonly kind: 'secret'; readonly secret: string }
  | { readonly clientId: string; readonly kind: 'assertion'; readonly assertion: string };

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Finds the credentials in the header or the form (RFC 6749 section 2.3.1, RFC 7523 section 2.2).
 * Checks none of them. Throws `invalid_request` when there are several kinds at once or none.
 */
export function readClientCredentials(
  authorization: string | undefined,
  form: Form,
): ClientCredentials {
  const [secret, assertion] = [form.get('client_secret'), form.get('client_assertion')];
  const kinds = [authorization, secret, assertion].filter((value) => value !== undefined);
  if (kinds.length > 1) {
    throw new AuthorizationError(
      'invalid_request',
      'The client authenticates in more than one way: use one.',
    );
  }
  if (authorization !== undefined) return readBasic(authorization, form);
  if (assertion !== undefined) return readAssertion(assertion, form);
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new AuthorizationError(
      'invalid_client',
      'The request does not say which client it comes from: send client_id, or authenticate.',
    );
  }
  return secret === undefined ? { clientId, kind: 'none' } : { clientId, kind: 'secret', secret };
}

function readBasic(authorization: string, form: Form): ClientCredentials {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(authorization)?.[1] ?? '';
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.includes(':') ? pair.indexOf(':') : pair.length;
  const [clientId, secret] = [formDecode(pair.slice(0, colon)), formDecode(pair.slice(colon + 1))];
  if (!clientId || secret === undefined) throw unreadable('Authorization header');
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) throw contradiction();
  return { clientId, kind: 'secret', secret };
}

function readAssertion(assertion: string, form: Form): ClientCredentials {
  if (form.get('client_assertion_type') !== assertionType) {
    throw new AuthorizationError(
      'invalid_request',
      `A client_assertion needs client_assertion_type=${assertionType}.`,
    );
  }
  const clientId = subjectOf(assertion);
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) throw contradiction();
  return { clientId, kind: 'assertion', assertion };
}

function subjectOf(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion);
    if (typeof sub === 'string') return sub;
  } catch (cause) {
    throw unreadable('client_assertion', cause);
  }
  throw unreadable('client_assertion');
}

/** RFC 6749 appendix B: both parts are form-encoded before they are joined. */
function formDecode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined; // the caller says what was wrong
  }
}

function unreadable(what: string, cause?: unknown): AuthorizationError {
  return new AuthorizationError(
    'invalid_client',
    `The ${what} has no readable client credentials: write them as RFC 6749 section 2.3.1 and RFC 7523 say.`,
    { cause },
  );
}

function contradiction(): AuthorizationError {
  return new AuthorizationError(
    'invalid_request',
    'The client_id differs from the client that authenticates: send the same one, or leave it out.',
  );
}
