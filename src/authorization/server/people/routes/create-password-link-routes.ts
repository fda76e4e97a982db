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
import type { Passwords } from '../accounts/create-passwords.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import { accountPlace as place } from '../browsers/place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import { choosePasswordPage } from '../pages/choose-password-page.ts';

export type PasswordLinkRoutesOptions = {
  readonly database: Database;
  readonly browsers: Browsers;
  readonly passwords: Passwords;
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
  const { database, browsers, passwords, clock } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const secret = c.req.query('secret') ?? '';
    const account = await findAccount(secret);
    const { cookie } = browsers.readCookie(c);
    return choosePasswordPage({ place, cookie, purpose, account, secret, problem: undefined });
  });

  app.post('/', async (c) => {
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: purpose, place: place.id });
    const secret = form.get('secret') ?? '';
    // Checked first: hashing for callers without a secret would keep others from signing in (F9).
    const account = await findAccount(secret);
    const { cookie } = browser;
    try {
      const password = checkNewPassword(form.get('password'), form.get('repeated'));
      const passwordHash = await passwords.hash(password);
      const secretHash = hashSecret(secret);
      const accountId = await database.transaction((tx) =>
        spendLink(tx, { secretHash, purpose, passwordHash, now: clock.now() }),
      );
      if (accountId === undefined) throw linkIsOver();
      await browsers.signIn(c, { accountId });
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_request') throw error;
      const problem = error.message;
      return choosePasswordPage({ place, cookie, purpose, account, secret, problem });
    }
    return seeOther(c, place.path);
  });

  return app;

  async function findAccount(secret: string): Promise<Account> {
    const now = clock.now();
    const account = await findLink(database, { secretHash: hashSecret(secret), purpose, now });
    if (account === undefined) throw linkIsOver();
    return account;
  }
}

function linkIsOver(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    'This link does not work: it was copied incompletely or used already, a newer one was made, the password or the role was changed since, or it is too old. Copy the whole link, or ask the person who sent it for a new one.',
  );
}
