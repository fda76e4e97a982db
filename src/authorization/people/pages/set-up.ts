import { Hono } from 'hono';
import { html } from 'hono/html';
import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { renderPage } from '../../../kernel/edge/page.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { seeOther } from '../../http/answers.ts';
import { hasSetUpSecret, setUpOwner } from '../../store/password-store.ts';
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts';
import { ownerId } from '../accounts/prepare-owner.ts';
import type { Browsers } from '../browsers.ts';
import { accountPlace as place } from '../place.ts';
import { readPostedForm } from '../posted-form.ts';
import { type FormFrame, newPasswordFields, notice, postForm } from './form-parts.ts';

export type SetUpRoutesOptions = {
  readonly browsers: Browsers;
  readonly database: Database;
  readonly passwords: Passwords;
  readonly clock: Clock;
};

/**
 * `/account/set-up`, the target of the link that a new server prints. Whoever has its secret chooses
 * the owner's password, once.
 */
export function createSetUpRoutes(options: SetUpRoutesOptions): Hono<EdgeEnv> {
  const { browsers, database, passwords, clock } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const secret = c.req.query('secret') ?? '';
    await checkSecret(secret);
    const { cookie } = browsers.readCookie(c);
    return setUpPage({ place, cookie, secret, problem: undefined });
  });

  app.post('/', async (c) => {
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'set-up', place: place.id });
    const secret = form.get('secret') ?? '';
    // Checked first: hashing for callers without a secret would keep others from signing in (F9).
    await checkSecret(secret);
    try {
      const password = checkNewPassword(form.get('password'), form.get('repeated'));
      const passwordHash = await passwords.hash(password);
      const setUp = {
        id: ownerId,
        secretHash: hashSecret(secret),
        passwordHash,
        now: clock.now(),
      };
      if (!(await setUpOwner(database, setUp))) throw linkIsOver();
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.code !== 'invalid_request') throw error;
      return setUpPage({ place, cookie: browser.cookie, secret, problem: error.message });
    }
    await browsers.signIn(c, { accountId: ownerId });
    return seeOther(c, place.path);
  });

  return app;

  async function checkSecret(secret: string): Promise<void> {
    const setUp = { id: ownerId, secretHash: hashSecret(secret), now: clock.now() };
    if (!(await hasSetUpSecret(database, setUp))) throw linkIsOver();
  }
}

function linkIsOver(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    'This set-up link does not work: it was copied incompletely, the owner has a password already, or the link is older than a week. Copy the whole link, sign in with the password, or restart the server, which prints a new link while there is no password.',
  );
}

/** The first page of a new server: the owner chooses a password. */
function setUpPage(
  page: FormFrame & { secret: string; problem: string | undefined },
): Promise<Response> {
  const { secret, problem } = page;
  const title = 'Set up this server';
  const body = html`<section class="card">
<h1>${title}</h1>
<p>Choose the password of the account <strong>owner</strong>. With it you sign in, allow programs to act for you, and make accounts for others.</p>
${notice(problem)}
${postForm(
  page,
  'set-up',
  html`<input type="hidden" name="secret" value="${secret}">
<input type="hidden" name="username" value="owner" autocomplete="username">
${newPasswordFields('owner', { isFocused: true })}
<div class="row"><button class="main">Set password and sign in</button></div>`,
)}
</section>`;
  return renderPage({ title, body, ...(problem === undefined ? {} : { status: 400 }) });
}
