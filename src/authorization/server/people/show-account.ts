import type { Database } from '../../../kernel/database/database.ts';
import { noneIfRefused } from '../../authorization-error.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { Grants } from '../grants/create-grants.ts';
import { isAdmin } from '../model/account.ts';
import type { Client, ClientId, FindClient } from '../model/client.ts';
import { hasPassword as findHasPassword } from '../store/account-store.ts';
import { firstKey } from '../store/page-key.ts';
import type { Session } from '../store/session-store.ts';
import type { Admission } from './accounts/create-admission.ts';
import type { ManagePeople } from './accounts/manage-people.ts';
import { accountPlace as place } from './browsers/place.ts';
import type { ManageClients } from './manage-clients.ts';
import { accountPage } from './pages/account-page.ts';
import type { RefusedForm } from './pages/form-parts.ts';
import type { OtherWays } from './pages/other-ways.ts';

export type ShowAccountOptions = {
  readonly database: Database;
  readonly grants: Pick<Grants, 'list'>;
  readonly findClient: FindClient;
  readonly managePeople: Pick<ManagePeople, 'list'>;
  readonly manageClients: Pick<ManageClients, 'list'>;
  readonly admission: Pick<Admission, 'list'>;
  readonly otherWays: OtherWays;
  readonly scopes: Scopes;
};

/** As many as a page can show; the console and the command line list all. */
const firstPage = { after: firstKey, limit: 200 };
const mostGrants = 100;

/** The account page of a signed-in person, with the form that was refused just now. */
export async function showAccount(
  options: ShowAccountOptions,
  shown: { readonly cookie: string; readonly session: Session; readonly refused?: RefusedForm },
): Promise<Response> {
  const { grants, managePeople, manageClients, admission, otherWays, scopes } = options;
  const { cookie, session, refused } = shown;
  const { account } = session;
  const [allowed, identities, hasPassword] = await Promise.all([
    grants.list(account.id, mostGrants + 1),
    admission.list(account.id),
    findHasPassword(options.database, account.id),
  ]);
  const newest = allowed.slice(0, mostGrants);
  const clients = await findClients(
    options,
    newest.map(({ clientId }) => clientId),
  );
  return accountPage({
    place,
    cookie,
    account,
    scopes,
    hasPassword,
    identities,
    otherWays,
    grants: newest.map((grant) => ({ grant, client: clients.get(grant.clientId) })),
    hasOlderGrants: allowed.length > newest.length,
    managed: isAdmin(account)
      ? { people: await managePeople.list(firstPage), clients: await manageClients.list() }
      : undefined,
    refused,
  });
}

/** Each client once, however often it was allowed something. */
async function findClients(
  { findClient }: Pick<ShowAccountOptions, 'findClient'>,
  ids: readonly ClientId[],
): Promise<ReadonlyMap<ClientId, Client | undefined>> {
  const found = [...new Set(ids)].map(async (id) => {
    // `undefined` if the document is gone: people must still be able to revoke its grants.
    const client = await findClient(id).catch(noneIfRefused);
    return [id, client] as const;
  });
  return new Map(await Promise.all(found));
}
