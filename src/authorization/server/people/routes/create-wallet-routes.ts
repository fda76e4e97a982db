import { Hono } from 'hono';
import { limitRate } from '../../../../kernel/http/gate/limit-rate.ts';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { RateLimiter } from '../../../../kernel/rate-limit/rate-limiter.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { noStore } from '../../http/no-store.ts';
import { seeOther } from '../../http/see-other.ts';
import { writeAuthorizationError } from '../../http/write-error.ts';
import type { AccountOf } from '../../model/identity.ts';
import { identityOfWallet } from '../accounts/create-admission.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import { pathAfter } from '../browsers/place.ts';
import type { ProofPlace } from '../browsers/proof-place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import type { WalletSignIn } from '../wallet/create-wallet-sign-in.ts';

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
