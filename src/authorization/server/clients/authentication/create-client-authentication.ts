import { isSecretOf } from '../../../../kernel/crypto/secret-hash.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { type Client, type FindClient, hasSecret } from '../../model/client.ts';
import type { CheckAssertion } from './create-assertion-check.ts';
import type { ClientCredentials } from './read-client-credentials.ts';

/** The client that credentials prove. */
export type AuthenticateClient = (
  credentials: ClientCredentials,
  /** Whose share of the remembered assertions one takes. */
  caller: string,
) => Promise<Client>;

/**
 * Checks the credentials of a client: a secret by its hash in constant time, in the header or in the
 * form alike; an assertion by the client's keys; none for a public client. A client that has
 * credentials must use them. Throws `invalid_client`, which does not tell an unknown client from a
 * wrong secret.
 */
export function createClientAuthentication(options: {
  readonly findClient: FindClient;
  readonly checkAssertion: CheckAssertion;
}): AuthenticateClient {
  const { findClient, checkAssertion } = options;
  return async (credentials, caller) => {
    const client = await findClient(credentials.clientId);
    if (client !== undefined && (await isProven(client, credentials, caller))) return client;
    throw new AuthorizationError(
      'invalid_client',
      'The client is unknown, or did not authenticate by the method that it registered: check client_id and credentials, or register again.',
    );
  };

  function isProven(
    client: Client,
    credentials: ClientCredentials,
    caller: string,
  ): boolean | Promise<boolean> {
    const { authentication, secretHash } = client;
    if (credentials.kind === 'none') return authentication === 'none';
    if (credentials.kind === 'assertion') {
      return (
        authentication === 'private_key_jwt' &&
        checkAssertion(client, credentials.assertion, caller)
      );
    }
    const isKept = hasSecret(authentication) && secretHash !== undefined;
    return isKept && isSecretOf(credentials.secret, secretHash);
  }
}
