import type { Clock } from '../../../kernel/time/clock.ts';
import type { Form } from '../../protocol/read-form.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { Client, ClientId } from '../model/client.ts';
import { scopeField } from './pages/chosen-scope.ts';

/** Makes and removes clients, as far as the owner's page needs it. */
export type ClientDesk = {
  list(query: { after: string; limit: number; now: number }): Promise<readonly Client[]>;
  /** Takes the metadata of RFC 7591 section 2 and checks them. */
  register(
    metadata: unknown,
    by: { readonly origin: 'operator' },
  ): Promise<{ readonly client: Client; readonly clientSecret: string | undefined }>;
  remove(clientId: ClientId): Promise<void>;
};

/** The clients of this server as the owner sees them (S10). */
export type ManageClients = {
  list(): Promise<readonly Client[]>;
  /** Throws `invalid_redirect_uri` and `invalid_client_metadata`. */
  add(form: Form): Promise<{ clientId: string; clientSecret: string | undefined }>;
  remove(clientId: string): Promise<void>;
};

/** As many as a page can show; the command line lists all. */
const mostListed = 200;

export function createManageClients(options: {
  readonly desk: ClientDesk;
  readonly scopes: Scopes;
  readonly clock: Clock;
}): ManageClients {
  const { desk, scopes, clock } = options;
  return {
    list: () => desk.list({ after: '', limit: mostListed, now: clock.now() }),
    async add(form) {
      const scope = scopes.names().filter((word) => form.get(scopeField(word)) !== undefined);
      const { client, clientSecret } = await desk.register(
        {
          client_name: form.get('name'),
          redirect_uris: (form.get('redirects') ?? '').split(/\s+/).filter(Boolean),
          scope: scope.join(' '),
          ...metadataOf(form.get('kind')),
        },
        { origin: 'operator' },
      );
      return { clientId: client.clientId, clientSecret };
    },
    remove: (clientId) => desk.remove(clientId as ClientId), // an unknown id removes nothing
  };
}

function metadataOf(kind: string | undefined): object {
  const forPeople = ['authorization_code', 'refresh_token'];
  if (kind === 'service') {
    return {
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    };
  }
  const token_endpoint_auth_method = kind === 'confidential' ? 'client_secret_basic' : 'none';
  return { grant_types: forPeople, token_endpoint_auth_method };
}
