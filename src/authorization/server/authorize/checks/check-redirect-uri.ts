import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import { isRegisteredRedirectUri } from '../../../protocol/redirect-uri.ts';
import type { Client } from '../../model/client.ts';

/**
 * The redirect URI: one that the client registered (S9). A client with a single one may leave it out (OAuth 2.1
 * section 4.1.1). Throws `invalid_request`, which is never redirected.
 */
export function checkRedirectUri(form: Form, client: Client): string {
  const given = form.get('redirect_uri');
  const [only, ...others] = client.redirectUris;
  if (given === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidRedirectUri(
      'The request has no redirect_uri: the program that sent you here must add one that it registered.',
    );
  }
  const isRegistered = client.isOwnPage
    ? client.redirectUris.includes(given)
    : isRegisteredRedirectUri(given, client.redirectUris);
  if (isRegistered) return given;
  throw invalidRedirectUri(
    `The redirect_uri "${given.slice(0, 200)}" is not registered for this client, so your browser is not sent there: the program that sent you here must use exactly the redirect_uri it registered.`,
  );
}

function invalidRedirectUri(message: string): AuthorizationError {
  return new AuthorizationError('invalid_request', message);
}
