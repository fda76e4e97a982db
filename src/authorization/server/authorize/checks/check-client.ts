import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Client, FindClient } from '../../model/client.ts';

/** The client that asks. Throws `invalid_request` without a client id, `invalid_client` for one that is not known. */
export async function checkClient(form: Form, findClient: FindClient): Promise<Client> {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new AuthorizationError(
      'invalid_request',
      'The request names no client: the program that sent you here must add its client_id.',
    );
  }
  const client = await findClient(clientId);
  if (client !== undefined) return client;
  throw new AuthorizationError(
    'invalid_client',
    `No client is known by the id "${clientId.slice(0, 100)}": the program that sent you here must register again.`,
  );
}
