import { Hono } from 'hono';
import { html } from 'hono/html';
import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { renderPage } from '../../../kernel/edge/page.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { seeOther } from '../../http/answers.ts';
import type { Account } from '../../model/account.ts';
import { findLink, type LinkPurpose, spendLink } from '../../store/password-store.ts';
import { linkIsOver } from '../accounts/admission.ts';
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts';
import type { Browsers } from '../browsers.ts';
import { invitePlace, type ProofPlace, accountPlace as place } from '../place.ts';
import { readPostedForm } from '../posted-form.ts';
import {
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
  const { database, browsers, passwords, otherWays } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const secret = c.req.query('secret') ?? '';
    const account = await findInvited(options, { secret, purpose });
    const { cookie } = browsers.readCookie(c);
    const page = { place, cookie, purpose, account, secret, otherWays };
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
      const accountId = await database.transaction((tx) =>
        spendLink(tx, { secretHash, purpose, passwordHash, now: options.clock.now() }),
      );
      if (accountId === undefined) throw linkIsOver();
      await browsers.signIn(c, { accountId });
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_request') throw error;
      const problem = error.message;
      return choosePasswordPage({ place, cookie, purpose, account, secret, otherWays, problem });
    }
    return seeOther(c, place.path);
  });

  return app;
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
      const page = { place, cookie, purpose, account, secret, otherWays: options.otherWays };
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
    readonly problem: string | undefined;
  },
): Promise<Response> {
  const { purpose, account, secret, otherWays, problem } = page;
  const ways = purpose === 'invite' ? otherWays : noOtherWays;
  const title = titles[purpose];
  const name = html`<strong>${strangersName(account.name)}</strong>`;
  const body = html`<section class="card">
<h1>${title}</h1>
${
  purpose === 'invite'
    ? html`<p>You were invited to this server as ${name}. Choose a password. From now on you sign in with this name and password.</p>${hasOtherWay(ways) ? html`<p>Or sign in another way, below the password.</p>` : ''}`
    : html`<p>Choose a new password for ${name}. You are then signed out everywhere else.</p>`
}
${notice(problem)}
${postForm(
  page,
  purpose,
  html`<input type="hidden" name="secret" value="${secret}">
<input type="hidden" name="username" value="${account.name}" autocomplete="username">
${newPasswordFields(purpose, { isFocused: true })}
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
