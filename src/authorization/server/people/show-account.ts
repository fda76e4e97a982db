import type { Database } from '../../../kernel/database/database.ts';
import { noneIfRefused } from '../../authorization-error.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { Grants } from '../grants/create-grants.ts';
import { isAdmin } from '../model/account.ts';
import type { FindClient } from '../model/client.ts';
import { findAccountByUsername } from '../store/account-store.ts';
import { firstKey } from '../store/page-key.ts';
import type { Session } from '../store/session-store.ts';
import type { ManagePeople } from './accounts/manage-people.ts';
import { accountPlace as place } from './browsers/place.ts';
import type { ManageClients } from './manage-clients.ts';
import { accountPage } from './pages/account-page.ts';

export type ShowAccountOptions = {
  readonly database: Database;
  readonly grants: Pick<Grants, 'list'>;
  readonly findClient: FindClient;
  readonly managePeople: Pick<ManagePeople, 'list'>;
  readonly manageClients: Pick<ManageClients, 'list'>;
  readonly scopes: Scopes;
};

/** As many as a page can show; the console and the command line list all. */
const firstPage = { after: firstKey, limit: 200 };

/** The account page of a signed-in person; with a problem, what kept them from a change just now. */
export async function showAccount(
  options: ShowAccountOptions,
  shown: { readonly cookie: string; readonly session: Session; readonly problem?: string },
): Promise<Response> {
  const { database, grants, findClient, managePeople, manageClients, scopes } = options;
  const { cookie, session, problem } = shown;
  const { account } = session;
  const [allowed, named] = await Promise.all([
    grants.list(account.id),
    findAccountByUsername(database, account.name),
  ]);
  return accountPage({
    place,
    cookie,
    account,
    scopes,
    hasPassword: named?.id === account.id,
    grants: await Promise.all(
      allowed.map(async (grant) => {
        // None for a document that is gone: it must not keep anybody from revoking what its client has.
        const client = await findClient(grant.clientId).catch(noneIfRefused);
        return { grant, client };
      }),
    ),
    managed: isAdmin(account)
      ? { people: await managePeople.list(firstPage), clients: await manageClients.list() }
      : undefined,
    problem,
  });
}
