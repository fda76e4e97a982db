import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import type { AuthorizationError } from '../../../authorization-error.ts';
import { passingSeconds } from '../../http/passing-seconds.ts';
import { type FormFrame, notice, postForm, strangersName } from './form-parts.ts';
import { type OtherWays, otherWaysSection, scriptFor } from './other-ways.ts';

export type SignInPage = FormFrame & {
  /** For whom: the client that asks, or nobody on the person's own account page. */
  readonly clientName: string | undefined;
  readonly username: string | undefined;
  readonly refusal: AuthorizationError | undefined;
  /** The owner has not chosen a password yet. */
  readonly needsSetUp: boolean;
  readonly otherWays: OtherWays;
};

/** The sign-in page: name and password, a wallet, or the identity provider. */
export async function signInPage(page: SignInPage): Promise<Response> {
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
