import type { Clock } from '../../kernel/wait/clock.ts';
import { type Account, isAdmin } from '../model/account.ts';
import type { Client, ClientId } from '../model/client.ts';
import type { Form } from '../protocol/form.ts';
import type { Scope, Scopes } from '../protocol/scope.ts';

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

/** The checkbox of a scope on the consent page. */
export const scopeField = (scope: Scope) => `scope:${scope}`;

/**
 * Every browser that was shown the checkboxes sends this, because an empty choice itself sends
 * nothing. A program that posts only `decision=allow` allows everything that was asked.
 */
export const tickedField = 'ticked';

/** The requested scopes that a person can allow: only admins can grant scopes for admins. */
export function allowableScope(
  asked: readonly Scope[],
  { account, scopes }: { account: Account; scopes: Scopes },
): readonly Scope[] {
  return asked.filter((scope) => isAdmin(account) || !scopes.isForAdmins(scope));
}

/** What the person left ticked of what they could allow. */
export function chosenScope(form: Form, allowable: readonly Scope[]): readonly Scope[] {
  if (form.get(tickedField) === undefined) return allowable;
  return allowable.filter((scope) => form.get(scopeField(scope)) !== undefined);
}
