import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Database } from '../../../kernel/database/database.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { renderPage } from '../../../kernel/edge/page.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { seeOther } from '../../http/answers.ts';
import { passingSeconds } from '../../http/error-page.ts';
import type { Interactions } from '../../requests/interactions.ts';
import { findAccountByUsername } from '../../store/account-store.ts';
import type { SignInByPassword } from '../accounts/sign-in-by-password.ts';
import type { Browsers } from '../browsers.ts';
import { accountPlace, type FindPlace } from '../place.ts';
import { readPostedForm } from '../posted-form.ts';
import { clientNameOf } from './consent-page.ts';
import { type FormFrame, notice, postForm, strangersName } from './form-parts.ts';
import { type OtherWays, otherWaysSection, scriptFor } from './other-ways.ts';

export type SignInRoutesOptions = {
  readonly browsers: Browsers;
  readonly signIn: SignInByPassword;
  readonly showSignIn: ShowSignIn;
};

/**
 * `POST …/sign-in` and `POST …/switch` of a page. `placeOf` finds the page, and throws where there is
 * none. A sign-in from a tab that was opened before the person signed in elsewhere goes on as that
 * person, so that several tabs all finish.
 */
export function createSignInRoutes(
  options: SignInRoutesOptions,
  placeOf: FindPlace,
): Hono<EdgeEnv> {
  const { browsers, signIn, showSignIn } = options;
  const app = new Hono<EdgeEnv>();

  app.post('/sign-in', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'sign-in', place: place.id }).catch(
      async (error: unknown) => {
        const isSignedIn = browser.isKnown && (await browsers.read(c)).session !== undefined;
        if (!isSignedIn) throw error;
        return undefined;
      },
    );
    if (form === undefined) return seeOther(c, place.path);
    const username = form.get('username');
    const attempt = {
      username,
      password: form.get('password'),
      callerKey: c.get('context').caller.key,
    };
    try {
      const account = await signIn(attempt);
      await browsers.signIn(c, { accountId: account.id });
      return seeOther(c, place.path);
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      return showSignIn({ place, cookie: browser.cookie, username, refusal: error });
    }
  });

  app.post('/switch', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    await readPostedForm(c, browser, { form: 'switch', place: place.id });
    await browsers.signOut(c);
    return seeOther(c, place.path);
  });

  return app;
}

/** The sign-in page of a place; with a refusal, what kept the person from signing in there just now. */
export type ShowSignIn = (
  frame: FormFrame & {
    username?: string | undefined;
    refusal?: AuthorizationError | undefined;
  },
) => Promise<Response>;

export function createShowSignIn(options: {
  interactions: Pick<Interactions, 'find'>;
  database: Database;
  otherWays: OtherWays;
}): ShowSignIn {
  const { interactions, database, otherWays } = options;
  return async ({ place, cookie, username, refusal }) => {
    const isAccount = place.id === accountPlace.id;
    const interaction = isAccount ? undefined : await interactions.find(place.id);
    const client = interaction?.client;
    const owner = await findAccountByUsername(database, 'owner');
    return signInPage({
      place,
      cookie,
      // A page of this server asks the person for no consent, so it is not named (K11).
      clientName: client?.isOwnPage ? undefined : client && clientNameOf(client),
      username: username ?? interaction?.loginHint,
      refusal,
      needsSetUp: owner?.passwordHash === undefined,
      otherWays,
    });
  };
}

type SignInPage = FormFrame & {
  /** For whom: the client that asks, or nobody on the person's own account page. */
  readonly clientName: string | undefined;
  readonly username: string | undefined;
  readonly refusal: AuthorizationError | undefined;
  /** The owner has not chosen a password yet. */
  readonly needsSetUp: boolean;
  readonly otherWays: OtherWays;
};

/** The sign-in page: name and password, a wallet, or the identity provider. */
async function signInPage(page: SignInPage): Promise<Response> {
  const { clientName, username, refusal, needsSetUp, otherWays } = page;
  const isFocused = username === undefined ? 'username' : 'password';
  const body = html`<section class="card">
<h1>Sign in</h1>
${clientName === undefined ? '' : html`<p class="muted">to decide what <strong>${strangersName(clientName)}</strong> may do</p>`}
${notice(refusal?.message)}
${
  needsSetUp
    ? html`<p class="note warn">This server has just been set up and its owner has no password yet. Open the set-up link that the server printed when it started.</p>`
    : ''
}
${postForm(
  page,
  'sign-in',
  html`<label for="username">Name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="80" value="${username ?? ''}" ${isFocused === 'username' ? 'autofocus' : ''}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256" ${isFocused === 'password' ? 'autofocus' : ''}>
<div class="row"><button class="main">Sign in</button></div>`,
)}
${otherWaysSection(page, otherWays, { wallet: 'Sign in with a wallet' })}
</section>`;
  const isPassing = refusal?.code === 'temporarily_unavailable';
  const response = await renderPage({
    title: 'Sign in',
    body,
    ...(refusal === undefined ? {} : { status: isPassing ? 503 : 403 }),
    ...scriptFor(otherWays),
  });
  if (isPassing) response.headers.set('Retry-After', passingSeconds);
  return response;
}
