import { type Context, Hono } from 'hono';
import type { Database } from '../../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../../kernel/http/edge-env.ts';
import { StatusError } from '../../../../kernel/rpc-status/status-error.ts';
import { AuthorizationError, noneIfRefused } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Scopes } from '../../../protocol/scope.ts';
import type { Grants } from '../../grants/create-grants.ts';
import { seeOther } from '../../http/see-other.ts';
import { isAdmin } from '../../model/account.ts';
import type { FindClient } from '../../model/client.ts';
import { findAccountByUsername } from '../../store/account-store.ts';
import { firstKey } from '../../store/page-key.ts';
import type { Session } from '../../store/session-store.ts';
import type { ChangePassword } from '../accounts/change-password.ts';
import { checkNewPassword } from '../accounts/check-new-password.ts';
import type { Passwords } from '../accounts/create-passwords.ts';
import type { ManagePeople, PeopleManager } from '../accounts/manage-people.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import { accountPlace as place } from '../browsers/place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import type { ManageClients } from '../manage-clients.ts';
import { accountPage } from '../pages/account-page.ts';
import { newClientPage } from '../pages/new-client-page.ts';
import type { ShowSignIn } from '../show-sign-in.ts';

export type AccountRoutesOptions = {
  readonly browsers: Browsers;
  readonly database: Database;
  readonly grants: Grants;
  readonly findClient: FindClient;
  readonly changePassword: ChangePassword;
  readonly managePeople: ManagePeople;
  readonly passwords: Passwords;
  readonly manageClients: ManageClients;
  readonly showSignIn: ShowSignIn;
  readonly scopes: Scopes;
};

/** `/account`: what a signed-in person sees and changes of their own, and what an admin manages. */
export function createAccountRoutes(options: AccountRoutesOptions): Hono<EdgeEnv> {
  const { browsers, database, grants, findClient } = options;
  const { changePassword, managePeople, manageClients, showSignIn, scopes } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const { cookie, session } = await browsers.read(c);
    if (session === undefined) return showSignIn({ place, cookie });
    return showAccount({ cookie, session });
  });

  /** A form of the account page: what it does is followed by the page again, with the problem if there was one. */
  function onPost(
    name: string,
    step: (posted: {
      form: Form;
      session: Session;
      c: Context<EdgeEnv>;
    }) => Promise<Response | undefined>,
  ): void {
    app.post(`/${name}`, async (c) => {
      const browser = await browsers.read(c);
      const form = await readPostedForm(c, browser, { form: name, place: place.id });
      const { cookie, session } = browser;
      if (session === undefined) return seeOther(c, place.path);
      try {
        return (await step({ form, session, c })) ?? seeOther(c, place.path);
      } catch (error) {
        const isRefusal = error instanceof AuthorizationError || error instanceof StatusError;
        if (!isRefusal) throw error;
        return showAccount({ cookie, session, problem: error.message });
      }
    });
  }

  // A script of our own pages, the console, has no form; instead it shows an origin that no other page can.
  app.post('/sign-out', async (c, next) => {
    if (!isOwnScript(c)) return next();
    await browsers.signOut(c);
    return c.body(null, 204);
  });

  onPost('sign-out', async ({ c }) => {
    await browsers.signOut(c);
    return undefined;
  });

  onPost('revoke', async ({ form, session }) => {
    const own = await grants.list(session.account.id);
    const grant = own.find(({ id }) => id === form.get('grant'));
    if (grant !== undefined) await grants.revoke(grant.id);
    return undefined;
  });

  onPost('password', async ({ form, session, c }) => {
    const chosen = checkNewPassword(form.get('password'), form.get('repeated'));
    const current = form.get('current') ?? '';
    const callerKey = c.get('context').caller.key;
    await changePassword(session.account, { current, chosen, callerKey });
    await browsers.signIn(c, { accountId: session.account.id });
    return undefined;
  });

  onPost('add-account', async ({ form, session }) => {
    requireAdmin(session);
    const password = checkNewPassword(form.get('password'), form.get('repeated'));
    const passwordHash = await options.passwords.hash(password);
    await managePeople.add({ username: form.get('name') ?? '', passwordHash });
    return undefined;
  });

  onPost('remove-account', async ({ form, session }) => {
    await managePeople.remove(form.get('account') ?? '', requireAdmin(session));
    return undefined;
  });

  onPost('add-client', async ({ form, session }) => {
    requireAdmin(session);
    return newClientPage(await manageClients.add(form));
  });

  onPost('remove-client', async ({ form, session }) => {
    requireAdmin(session);
    await manageClients.remove(form.get('client') ?? '');
    return undefined;
  });

  return app;

  async function showAccount(shown: { cookie: string; session: Session; problem?: string }) {
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
}

/** Forms of pages under `no-referrer` send `Origin: null`, scripts the true one. */
function isOwnScript(c: Context<EdgeEnv>): boolean {
  const { request, isForeignPage } = c.get('context');
  return !isForeignPage && request.header('origin') !== undefined;
}

/** As many as a page can show; the console and the command line list all. */
const firstPage = { after: firstKey, limit: 200 };

function requireAdmin({ account }: Session): PeopleManager {
  if (isAdmin(account)) return { mayManageOwners: account.role === 'owner' };
  throw new AuthorizationError('access_denied', 'Only an admin of this server can do this.');
}
