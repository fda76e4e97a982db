import { html } from 'hono/html';
import type { Html } from '../../../kernel/edge/page.ts';
import { buttonForm, type FormFrame, postForm } from './form-parts.ts';

/** Where the wallet's script is served. */
export const walletScriptPath = '/account/wallet.js';

/** How people sign in besides by a password. */
export type OtherWays = {
  readonly offersWallet: boolean;
  /** What the identity provider is called, where there is one. */
  readonly identityProviderName: string | undefined;
};

export const noOtherWays: OtherWays = { offersWallet: false, identityProviderName: undefined };

export function hasOtherWay({ offersWallet, identityProviderName }: OtherWays): boolean {
  return offersWallet || identityProviderName !== undefined;
}

/** The buttons of the other ways, each with the values that its form sends along. */
export function otherWaysSection(
  frame: FormFrame,
  { offersWallet, identityProviderName }: OtherWays,
  {
    wallet,
    provider = 'Continue with',
    values = {},
    or = html`<div class="or">or</div>`,
  }: {
    readonly wallet: string;
    /** What stands before the name of the identity provider. */
    readonly provider?: string;
    readonly values?: Readonly<Record<string, string>>;
    readonly or?: Html;
  },
): Html {
  const label = `${provider} ${identityProviderName}`;
  return html`<div class="stack">
${identityProviderName === undefined ? '' : html`${or}${buttonForm(frame, 'third-party', { label, kind: '', values })}`}
${
  offersWallet
    ? postForm(
        frame,
        'wallet',
        html`${Object.entries(values).map(
          ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
        )}<input type="hidden" name="nonce" value=""><input type="hidden" name="signature" value="">
<div id="wallet-offer" hidden>${or}<button type="button" id="wallet">${wallet}</button></div>
<noscript><p class="hint">Signing in with a wallet needs scripts; everything else works without.</p></noscript>
<p class="hint" id="wallet-status" role="status"></p><pre id="wallet-message" tabindex="-1"></pre>`,
      )
    : ''
}
</div>`;
}

/** The script of a page with these ways, where it needs one. */
export function scriptFor({ offersWallet }: OtherWays): { readonly script?: string } {
  return offersWallet ? { script: walletScriptPath } : {};
}
