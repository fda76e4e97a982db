import { type Context, Hono } from 'hono';
import type { Database } from '../../../kernel/database/database.ts';
import { limitRate } from '../../../kernel/edge/limit-rate.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../../kernel/edge/rate-limiter.ts';
import { StatusError } from '../../../kernel/edge/status-error.ts';
import { AuthorizationError, noneIfRefused } from '../../authorization-error.ts';
import type { Grants } from '../../grants/grants.ts';
import { seeOther } from '../../http/answers.ts';
import { isAdmin, sessionIsOver } from '../../model/account.ts';
import type { Client, ClientId, FindClient } from '../../model/client.ts';
import type { GrantId } from '../../model/grant.ts';
import type { Form } from '../../protocol/form.ts';
import type { Scopes } from '../../protocol/scope.ts';
import { hasPassword as findHasPassword } from '../../store/account-store.ts';
import { findGrant } from '../../store/grant-store.ts';
import { firstKey } from '../../store/page.ts';
import type { Session } from '../../store/session-store.ts';
import type { Admission } from '../accounts/admission.ts';
import type { ManagePeople, PeopleManager } from '../accounts/manage-people.ts';
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts';
import type { ChangePassword } from '../accounts/sign-in-by-password.ts';
import type { Browsers } from '../browsers.ts';
import type { ManageClients } from '../manage-clients.ts';
import { linkPlace, type ProofPlace, accountPlace as place } from '../place.ts';
import { readForSignIn, readPostedForm } from '../posted-form.ts';
import { accountPage, keepAllowedField, newClientPage } from './account-page.ts';
import type { RefusedForm } from './form-parts.ts';
import type { OtherWays } from './other-ways.ts';
import type { ShowSignIn } from './sign-in.ts';

export type AccountRoutesOptions = ShowAccountOptions & {
  readonly browsers: Browsers;
  readonly grants: Grants;
  readonly changePassword: ChangePassword;
  readonly managePeople: ManagePeople;
  readonly passwords: Passwords;
  readonly manageClients: ManageClients;
  readonly showSignIn: ShowSignIn;
  readonly admission: Admission;
  /** How often one caller asks for the page or sends one of its forms. */
  readonly accountRequests: RateLimiter;
};

/** A form that was posted by the person of the session. */
type Posted = {
  readonly form: Form;
  readonly session: Session;
  readonly c: Context<EdgeEnv>;
};

/** `/account`: what a signed-in person sees and changes of their own, and what an admin manages. */
export function createAccountRoutes(options: AccountRoutesOptions): Hono<EdgeEnv> {
  const { browsers, showSignIn, accountRequests: limiter } = options;
  const app = new Hono<EdgeEnv>();
  app.use(limitRate({ limiter, policy: 'account', windowSeconds: 60 }));

  app.get('/', async (c) => {
    const { cookie, session, refusal } = await readForSignIn(browsers, c);
    return session === undefined
      ? showSignIn({ place, cookie, refusal })
      : showAccount(options, { cookie, session });
  });

  // Signing out need not know who the person is, so it works even while the identity provider does not answer.
  app.post('/sign-out', async (c) => {
    // A script of our own pages, the console, has no form. It sends our origin, which no other page can.
    const hasForm = !isOwnScript(c);
    if (hasForm) {
      await readPostedForm(c, browsers.readCookie(c), { form: 'sign-out', place: place.id });
    }
    await browsers.signOut(c);
    return hasForm ? seeOther(c, place.path) : c.body(null, 204);
  });

  for (const [name, step] of Object.entries(accountForms(options))) {
    app.post(`/${name}`, async (c) => {
      const browser = await browsers.read(c);
      const form = await readPostedForm(c, browser, { form: name, place: place.id });
      const { cookie, session } = browser;
      if (session === undefined) return seeOther(c, place.path);
      try {
        return (await step({ form, session, c })) ?? seeOther(c, place.path);
      } catch (error) {
        const isRefusal = error instanceof AuthorizationError || error instanceof StatusError;
        // A temporary refusal says when to try again, and leaves nothing to correct.
        if (!isRefusal || error.code === 'temporarily_unavailable') throw error;
        const refused = { name, typed: form, error };
        return showAccount(options, { cookie, session, refused });
      }
    });
  }
  return app;
}

/** What each form of the account page does. The page follows again, unless a step answers with another one. */
function accountForms(
  options: AccountRoutesOptions,
): Readonly<Record<string, (posted: Posted) => Promise<Response | undefined>>> {
  const { database, browsers, grants, changePassword, passwords } = options;
  const { managePeople, manageClients } = options;
  return {
    revoke: async ({ form, session }) => {
      const id = (form.get('grant') ?? '') as GrantId; // an unknown id finds none
      const grant = await findGrant(database, id);
      if (grant?.accountId === session.account.id) await grants.revoke(grant.id);
      return undefined;
    },
    password: async ({ form, session, c }) => {
      const chosen = checkNewPassword(form.get('password'), form.get('repeated'));
      const current = form.get('current') ?? '';
      const callerKey = c.get('context').caller.key;
      const keepsAllowed = form.get(keepAllowedField) !== undefined;
      await changePassword(session.account, { current, chosen, keepsAllowed, callerKey });
      await browsers.signIn(c, { accountId: session.account.id });
      return undefined;
    },
    unlink: async ({ form, session, c }) => {
      const { account, identityProviderSessionId } = session;
      const identity = { issuer: form.get('issuer') ?? '', subject: form.get('subject') ?? '' };
      await options.admission.unlink(identity, { accountId: account.id, sessionId: session.id });
      await browsers.signIn(c, { accountId: account.id, identityProviderSessionId });
      return undefined;
    },
    'add-account': async ({ form, session }) => {
      requireAdmin(session);
      const password = checkNewPassword(form.get('password'), form.get('repeated'));
      const passwordHash = await passwords.hash(password);
      await managePeople.add({ username: form.get('name') ?? '', passwordHash });
      return undefined;
    },
    'remove-account': async ({ form, session }) => {
      await managePeople.remove(form.get('account') ?? '', requireAdmin(session));
      return undefined;
    },
    'add-client': async ({ form, session }) => {
      requireAdmin(session);
      return newClientPage(await manageClients.add(form));
    },
    'remove-client': async ({ form, session }) => {
      requireAdmin(session);
      await manageClients.remove(form.get('client') ?? '');
      return undefined;
    },
  };
}

/** A person who is signed in proves another way to sign in, which leads to their account from now on. */
export function linkProofPlace(options: AccountRoutesOptions): ProofPlace {
  const { browsers } = options;
  return {
    placeOf: async () => linkPlace,
    async claimOf(c) {
      const { session } = await browsers.read(c);
      if (session === undefined) throw sessionIsOver('linked');
      return { accountId: session.account.id, sessionId: session.id };
    },
    async showRefusal(c, { cookie, form, error }) {
      const { session } = await browsers.read(c);
      if (session === undefined) return options.showSignIn({ place, cookie, refusal: error });
      return showAccount(options, {
        cookie,
        session,
        refused: { name: 'link', typed: form, error },
      });
    },
  };
}

/** Forms of pages under `no-referrer` send `Origin: null`, scripts the true one. */
function isOwnScript(c: Context<EdgeEnv>): boolean {
  const { request, isForeignPage } = c.get('context');
  return !isForeignPage && request.header('origin') !== undefined;
}

function requireAdmin({ account }: Session): PeopleManager {
  if (isAdmin(account)) return { mayManageOwners: account.role === 'owner' };
  throw new AuthorizationError('access_denied', 'Only an admin of this server can do this.');
}

type ShowAccountOptions = {
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
async function showAccount(
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
