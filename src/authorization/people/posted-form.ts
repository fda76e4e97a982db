import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { type Form, readForm } from '../protocol/form.ts';
import type { Browser, BrowserCookie, Browsers } from './browsers.ts';

/**
 * The form a browser posted, if it comes from a page that this very browser was shown (A11). Throws
 * `access_denied` for a form made elsewhere or for another browser, step or interaction.
 */
export async function readPostedForm(
  c: Context<EdgeEnv>,
  browser: BrowserCookie,
  formPlace: FormPlace,
): Promise<Form> {
  const form = readForm(c.req.header('content-type'), await c.req.text());
  const key = form.get(formKeyField) ?? '';
  if (browser.isKnown && isFormKeyOf(key, browser.cookie, formPlace)) return form;
  throw new AuthorizationError(
    'access_denied',
    browser.isKnown
      ? 'This form does not belong to the page that your browser shows now: perhaps it was open for long, or you have signed in or out in another tab. Nothing was done. Open the page again and repeat the step.'
      : 'Your browser sent no cookie along with the form, so it cannot be told from a form of another site. Nothing was done. Allow cookies for this site, open the page again and repeat the step.',
  );
}

/**
 * The browser of a request, for a page that offers to sign in. While the identity provider cannot be asked about the
 * session, nobody is signed in, and the refusal says why: a person with a password or a wallet needs no provider.
 */
export async function readForSignIn(
  browsers: Pick<Browsers, 'read' | 'readCookie'>,
  c: Context<EdgeEnv>,
): Promise<Browser & { readonly refusal?: AuthorizationError }> {
  try {
    return await browsers.read(c);
  } catch (error) {
    const isPassing =
      error instanceof AuthorizationError && error.code === 'temporarily_unavailable';
    if (!isPassing) throw error;
    const message = `${error.message} Or sign in below in another way.`;
    const refusal = new AuthorizationError('temporarily_unavailable', message);
    return { ...browsers.readCookie(c), session: undefined, refusal };
  }
}

/** What a form is for: its own name, and the interaction or page that it is on. */
type FormPlace = { readonly form: string; readonly place: string };

/** The name of the anti-forgery field that every form carries. */
export const formKeyField = 'form_key';

/**
 * The value of a form's anti-forgery field (A11). It is computed from this browser's cookie and is valid only for this
 * form on this page. It needs no store: a site that cannot read the cookie cannot compute it.
 */
export function formKeyOf(cookie: string, { form, place }: FormPlace): string {
  return createHmac('sha256', cookie).update(`${form}\n${place}`).digest('base64url');
}

/** The parameter by which a browser that comes back from an identity provider shows that it signed in for this interaction. */
export const signedInField = 'signed_in';

/** What that parameter is a key of. */
export const signedInFor = (place: string): FormPlace => ({ form: 'signed-in', place });

/** Whether a form came from a page that this browser was shown, compared in constant time. */
export function isFormKeyOf(given: string, cookie: string, formPlace: FormPlace): boolean {
  const [received, expected] = [Buffer.from(given), Buffer.from(formKeyOf(cookie, formPlace))];
  return received.length === expected.length && timingSafeEqual(received, expected);
}
