import { Hono } from 'hono';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { seeOther } from '../../http/see-other.ts';
import type { SignInByPassword } from '../accounts/sign-in-by-password.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import type { FindPlace } from '../browsers/place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import type { ShowSignIn } from '../show-sign-in.ts';

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
