import { Hono } from 'hono';
import { limitRate } from '../../../../kernel/http/gate/limit-rate.ts';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { RateLimiter } from '../../../../kernel/rate-limit/rate-limiter.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { noStore } from '../../http/no-store.ts';
import { seeOther } from '../../http/see-other.ts';
import { writeAuthorizationError } from '../../http/write-error.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import type { FindPlace } from '../browsers/place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import type { ShowSignIn } from '../show-sign-in.ts';
import type { WalletSignIn } from '../wallet/create-wallet-sign-in.ts';

export type WalletRoutesOptions = {
  readonly browsers: Browsers;
  readonly wallet: WalletSignIn;
  /** Bounds the challenges of a caller: each occupies a row for minutes. */
  readonly challenges: RateLimiter;
  readonly showSignIn: ShowSignIn;
};

/**
 * `POST …/wallet/challenge`, by which the page's script fetches the message to sign, and `POST
 * …/wallet`, by which the form brings the signature.
 */
export function createWalletRoutes(
  options: WalletRoutesOptions,
  placeOf: FindPlace,
): Hono<EdgeEnv> {
  const { browsers, wallet, challenges, showSignIn } = options;
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
    return c.json(await wallet.challenge(binding, { address, chainId }), 200, noStore);
  });
  // A script calls this, so errors have the format of the other endpoints and are no page.
  challengeApp.onError(writeAuthorizationError);
  app.route('/challenge', challengeApp);

  app.post('/', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'wallet', place: place.id });
    try {
      const account = await wallet.complete(
        { cookie: browser.cookie, placeId: place.id },
        { nonce: form.get('nonce') ?? '', signature: form.get('signature') ?? '' },
      );
      await browsers.signIn(c, { accountId: account.id });
      return seeOther(c, place.path);
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      return showSignIn({ place, cookie: browser.cookie, refusal: error });
    }
  });

  return app;
}
