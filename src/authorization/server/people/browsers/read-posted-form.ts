import type { Context } from 'hono';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { type Form, readForm } from '../../../protocol/read-form.ts';
import type { BrowserCookie } from './create-browsers.ts';
import { type FormPlace, formKeyField, isFormKeyOf } from './form-key.ts';

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
