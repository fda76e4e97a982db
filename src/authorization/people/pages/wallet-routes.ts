import { Hono } from 'hono';
import { limitRate } from '../../../kernel/edge/limit-rate.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../../kernel/edge/rate-limiter.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { noStore, seeOther, writeAuthorizationError } from '../../http/answers.ts';
import type { AccountOf } from '../../model/account.ts';
import { identityOfWallet } from '../accounts/admission.ts';
import type { WalletSignIn } from '../accounts/wallet-sign-in.ts';
import type { Browsers } from '../browsers.ts';
import { type ProofPlace, pathAfter } from '../place.ts';
import { formKeyField, readPostedForm } from '../posted-form.ts';

export type WalletRoutesOptions = {
  readonly browsers: Browsers;
  readonly wallet: WalletSignIn;
  readonly accountOf: AccountOf;
  /** Bounds the challenges of a caller: each occupies a row for minutes. */
  readonly challenges: RateLimiter;
};

/**
 * `POST …/wallet/challenge`, by which the page's script fetches the message to sign, and `POST
 * …/wallet`, by which the form brings the signature.
 */
export function createWalletRoutes(
  options: WalletRoutesOptions,
  { placeOf, claimOf, showRefusal }: ProofPlace,
): Hono<EdgeEnv> {
  const { browsers, wallet, accountOf, challenges } = options;
  const app = new Hono<EdgeEnv>();

  const challengeApp = new Hono<EdgeEnv>();
  challengeApp.use(limitRate({ limiter: challenges, policy: 'wallet', windowSeconds: 60 }));
  challengeApp.post('/', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'wallet', place: place.id });
    const binding = { cookie: browser.cookie, placeId: place.id };
    const address = form.get('address') ?? '';
    const chainId = form.get('chain_id') ?? '';
    const purpose = claimOf === undefined ? 'sign-in' : 'link';
    const challenge = await wallet.challenge(binding, { address, chainId, purpose });
    return c.json(challenge, 200, noStore);
  });
  // A script calls this, so errors have the format of the other endpoints and are no page.
  challengeApp.onError(writeAuthorizationError);
  app.route('/challenge', challengeApp);

  app.post('/', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    const { cookie } = browser;
    const form = await readPostedForm(c, browser, { form: 'wallet', place: place.id });
    try {
      const claim = await claimOf?.(c, form);
      const address = await wallet.complete(
        { cookie, placeId: place.id },
        { nonce: form.get('nonce') ?? '', signature: form.get('signature') ?? '' },
      );
      const account = await accountOf(identityOfWallet(address), claim);
      const isSignedIn = claim !== undefined && 'accountId' in claim;
      if (!isSignedIn) await browsers.signIn(c, { accountId: account.id });
      return seeOther(c, pathAfter(place));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      return showRefusal(c, { place, cookie, form, error });
    }
  });

  return app;
}

/**
 * The only script of the pages: it asks the browser's wallet for its address, fetches the message,
 * shows it, has it signed and sends the form. It is plain JavaScript in a text, as it is served.
 */
export const walletScript = `'use strict';
const form = document.querySelector('form[data-form="wallet"]');
const button = document.getElementById('wallet');
const offered = document.getElementById('wallet-offer');
const status = document.getElementById('wallet-status');
const shown = document.getElementById('wallet-message');
let provider = window.ethereum;

function offer() { if (provider) offered.hidden = false; }
// Wallets announce themselves, before or after this script has run (EIP-6963).
window.addEventListener('eip6963:announceProvider', (event) => { provider = provider || event.detail.provider; offer(); });
window.dispatchEvent(new Event('eip6963:requestProvider'));
offer();

async function signIn() {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const body = new URLSearchParams({ ${formKeyField}: form.elements.${formKeyField}.value, address, chain_id: chainId });
  const answer = await fetch(form.action + '/challenge', { method: 'POST', body });
  const challenge = await answer.json();
  if (!answer.ok) throw new Error(challenge.error_description);
  shown.textContent = challenge.message;
  status.textContent = 'Your wallet asks you to sign this message:';
  const bytes = new TextEncoder().encode(challenge.message);
  const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const signature = await provider.request({ method: 'personal_sign', params: [hex, address] });
  form.elements.nonce.value = challenge.nonce;
  form.elements.signature.value = signature;
  form.submit();
}

button.addEventListener('click', () => {
  button.disabled = true;
  status.textContent = 'Waiting for your wallet…';
  signIn().catch((error) => {
    button.disabled = false;
    shown.textContent = '';
    status.textContent = error && error.code === 4001 ? 'You did not sign, so nothing was done.' : 'This did not work: ' + (error && error.message);
  });
});
`;
