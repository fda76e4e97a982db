import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import type { AuthorizationError } from '../../../authorization-error.ts';
import { passingSeconds } from '../../http/passing-seconds.ts';
import { buttonForm, type FormFrame, notice, postForm, strangersName } from './form-parts.ts';

/** Where the wallet's script is served. */
export const walletScriptPath = '/account/wallet.js';

export type SignInPage = FormFrame & {
  /** For whom: the client that asks, or nobody on the person's own account page. */
  readonly clientName: string | undefined;
  readonly username: string | undefined;
  readonly refusal: AuthorizationError | undefined;
  /** The owner has not chosen a password yet. */
  readonly needsSetUp: boolean;
  readonly offersWallet: boolean;
  /** What the identity provider is called, where there is one. */
  readonly identityProviderName: string | undefined;
};

/** The sign-in page: name and password, a wallet, or the identity provider. */
export async function signInPage(page: SignInPage): Promise<Response> {
  const { clientName, username, refusal, needsSetUp, offersWallet, identityProviderName } = page;
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
<div class="stack">
${
  identityProviderName === undefined
    ? ''
    : html`<div class="or">or</div>
${buttonForm(page, 'third-party', { label: `Continue with ${identityProviderName}`, kind: '' })}`
}
${
  offersWallet
    ? postForm(
        page,
        'wallet',
        html`<input type="hidden" name="nonce" value=""><input type="hidden" name="signature" value="">
<div id="wallet-offer" hidden><div class="or">or</div><button type="button" id="wallet">Sign in with a wallet</button></div>
<noscript><p class="hint">Signing in with a wallet needs scripts; everything else works without.</p></noscript>
<p class="hint" id="wallet-status" role="status"></p><pre id="wallet-message" tabindex="-1"></pre>`,
      )
    : ''
}
</div>
</section>`;
  const isPassing = refusal?.code === 'temporarily_unavailable';
  const response = await renderPage({
    title: 'Sign in',
    body,
    ...(refusal === undefined ? {} : { status: isPassing ? 503 : 403 }),
    ...(offersWallet ? { script: walletScriptPath } : {}),
  });
  if (isPassing) response.headers.set('Retry-After', passingSeconds);
  return response;
}
