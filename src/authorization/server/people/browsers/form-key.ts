import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a form is for: its own name, and the interaction or page that it is on. */
export type FormPlace = { readonly form: string; readonly place: string };

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
