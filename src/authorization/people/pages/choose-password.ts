import { Hono } from 'hono';
import { html } from 'hono/html';
import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { type Html, renderPage } from '../../../kernel/edge/page.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { Grants } from '../../grants/grants.ts';
import { seeOther } from '../../http/answers.ts';
import type { Account, AccountId, Identity } from '../../model/account.ts';
import { listIdentities, removeIdentities } from '../../store/account-store.ts';
import { findLink, type LinkPurpose, spendLink } from '../../store/password-store.ts';
import { linkIsOver } from '../accounts/admission.ts';
import { endAllowed } from '../accounts/end-allowed.ts';
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts';
import type { Browsers } from '../browsers.ts';
import { invitePlace, type ProofPlace, accountPlace as place } from '../place.ts';
import { readPostedForm } from '../posted-form.ts';
import {
  describeWay,
  type FormFrame,
  newPasswordFields,
  notice,
  postForm,
  strangersName,
} from './form-parts.ts';
import {
  hasOtherWay,
  noOtherWays,
  type OtherWays,
  otherWaysSection,
  scriptFor,
} from './other-ways.ts';

export type PasswordLinkRoutesOptions = {
  readonly database: Database;
  readonly browsers: Browsers;
  readonly passwords: Passwords;
  readonly grants: Pick<Grants, 'transaction'>;
  /** How else somebody who was invited may sign in from now on. */
  readonly otherWays: OtherWays;
  readonly clock: Clock;
};

/**
 * `/account/invite` and `/account/reset`, the targets of the links that admins give (T3). Whoever has
 * the secret chooses the password of its account, once, and is signed in.
 */
export function createPasswordLinkRoutes(
  options: PasswordLinkRoutesOptions,
  purpose: LinkPurpose,
): Hono<EdgeEnv> {
  const { browsers, passwords, otherWays } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const secret = c.req.query('secret') ?? '';
    const account = await findInvited(options, { secret, purpose });
    const { cookie } = browsers.readCookie(c);
    const linked = await listIdentities(options.database, account.id);
    const page = { place, cookie, purpose, account, secret, otherWays, linked };
    return choosePasswordPage({ ...page, problem: undefined });
  });

  app.post('/', async (c) => {
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: purpose, place: place.id });
    const secret = form.get('secret') ?? '';
    // Checked first: hashing for callers without a secret would keep others from signing in (F9).
    const account = await findInvited(options, { secret, purpose });
    const { cookie } = browser;
    try {
      const password = checkNewPassword(form.get('password'), form.get('repeated'));
      const passwordHash = await passwords.hash(password);
      const secretHash = hashSecret(secret);
      const spent = { secretHash, purpose, passwordHash, now: options.clock.now() };
      const keepsWays = form.get(keepWaysField) !== undefined;
      const accountId = await choosePassword(options, spent, { keepsWays });
      if (accountId === undefined) throw linkIsOver();
      await browsers.signIn(c, { accountId });
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_request') throw error;
      const problem = error.message;
      const linked = await listIdentities(options.database, account.id);
      const page = { place, cookie, purpose, account, secret, otherWays, linked };
      return choosePasswordPage({ ...page, problem });
    }
    return seeOther(c, place.path);
  });

  return app;
}

/**
 * Spends a link, sets the password, and returns whose it was, if the link works. A reset ends all that somebody else
 * may have got who knew the password before: sessions, what was allowed, and other ways to sign in unless the person
 * keeps them (F86).
 */
function choosePassword(
  { grants }: PasswordLinkRoutesOptions,
  spent: Parameters<typeof spendLink>[1],
  { keepsWays }: { readonly keepsWays: boolean },
): Promise<AccountId | undefined> {
  return grants.transaction(async (tx, revoke) => {
    const accountId = await spendLink(tx, spent);
    if (accountId === undefined || spent.purpose !== 'reset') return accountId;
    await endAllowed({ tx, revoke }, { accountId, now: spent.now });
    if (!keepsWays) await removeIdentities(tx, accountId);
    return accountId;
  });
}

/** Whoever has an invitation proves another way to sign in, instead of choosing a password. */
export function inviteProofPlace(options: PasswordLinkRoutesOptions): ProofPlace {
  const purpose = 'invite' as const;
  return {
    placeOf: async () => invitePlace,
    async claimOf(_, form) {
      const secret = form.get('secret') ?? '';
      await findInvited(options, { secret, purpose });
      return { invitation: hashSecret(secret) };
    },
    async showRefusal(_, { cookie, form, error }) {
      const secret = form.get('secret') ?? '';
      const account = await findInvited(options, { secret, purpose });
      const { otherWays } = options;
      const page = { place, cookie, purpose, account, secret, otherWays, linked: [] };
      return choosePasswordPage({ ...page, problem: error.message });
    },
  };
}

/** Whom a link is for. Throws `access_denied` if it does not work. */
async function findInvited(
  { database, clock }: PasswordLinkRoutesOptions,
  { secret, purpose }: { readonly secret: string; readonly purpose: LinkPurpose },
): Promise<Account> {
  const secretHash = hashSecret(secret);
  const account = await findLink(database, { secretHash, purpose, now: clock.now() });
  if (account === undefined) throw linkIsOver();
  return account;
}

const titles = { invite: 'Welcome', reset: 'Choose a new password' } as const;

/** Somebody who followed a link chooses the password of their account. */
function choosePasswordPage(
  page: FormFrame & {
    readonly purpose: LinkPurpose;
    readonly account: Account;
    readonly secret: string;
    readonly otherWays: OtherWays;
    /** What leads to the account besides its password. */
    readonly linked: readonly Identity[];
    readonly problem: string | undefined;
  },
): Promise<Response> {
  const { purpose, account, secret, otherWays, linked, problem } = page;
  const ways = purpose === 'invite' ? otherWays : noOtherWays;
  const title = titles[purpose];
  const name = html`<strong>${strangersName(account.name)}</strong>`;
  const body = html`<section class="card">
<h1>${title}</h1>
${
  purpose === 'invite'
    ? html`<p>You were invited to this server as ${name}. Choose a password. From now on you sign in with this name and password.</p>${hasOtherWay(ways) ? html`<p>Or sign in another way, below the password.</p>` : ''}`
    : html`<p>Choose a new password for ${name}. You are then signed out everywhere else, and everything that you have allowed ends, with its subscriptions.</p>`
}
${notice(problem)}
${postForm(
  page,
  purpose,
  html`<input type="hidden" name="secret" value="${secret}">
<input type="hidden" name="username" value="${account.name}" autocomplete="username">
${newPasswordFields(purpose, { isFocused: true })}
${purpose === 'reset' && linked.length > 0 ? keepWays(linked) : ''}
<div class="row"><button class="main">Set password and sign in</button></div>`,
)}
${otherWaysSection({ place: invitePlace, cookie: page.cookie }, ways, { values: { secret }, wallet: 'Use a wallet' })}
</section>`;
  return renderPage({
    title,
    body,
    ...(problem === undefined ? {} : { status: 400 }),
    ...scriptFor(ways),
  });
}

/** The checkbox by which a person who resets the password keeps what else signs them in. */
const keepWaysField = 'keep_ways';

function keepWays(linked: readonly Identity[]): Html {
  return html`<p>These sign in to your account too, and are unlinked with the new password:</p>
<ul class="list">${linked.map((way) => html`<li><div>${describeWay(way)}</div></li>`)}</ul>
<label class="tick"><input type="checkbox" name="${keepWaysField}" value="yes"><span>Keep them: all of them are mine</span></label>`;
}
