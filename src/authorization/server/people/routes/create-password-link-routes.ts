import { Hono } from 'hono';
import { hashSecret } from '../../../../kernel/crypto/secret-hash.ts';
import type { Database } from '../../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { seeOther } from '../../http/see-other.ts';
import type { Account } from '../../model/account.ts';
import { findLink, type LinkPurpose } from '../../store/password-link-store.ts';
import { spendLink } from '../../store/password-store.ts';
import { checkNewPassword } from '../accounts/check-new-password.ts';
import { linkIsOver } from '../accounts/create-admission.ts';
import type { Passwords } from '../accounts/create-passwords.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import { invitePlace, accountPlace as place } from '../browsers/place.ts';
import type { ProofPlace } from '../browsers/proof-place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import { choosePasswordPage } from '../pages/choose-password-page.ts';
import type { OtherWays } from '../pages/other-ways.ts';

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
