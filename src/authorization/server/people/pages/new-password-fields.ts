import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import { passwordLength } from '../accounts/create-passwords.ts';

/**
 * A new password, typed twice: the fields `password` and `repeated`. `id` distinguishes them from other fields on
 * the page. `isFocused` is for a page that has no other purpose.
 */
export function newPasswordFields(id: string, { isFocused = false } = {}): Html {
  const { least, most } = passwordLength;
  return html`<label for="${id}-password">New password</label>
<input id="${id}-password" name="password" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}" aria-describedby="${id}-rule" ${isFocused ? 'autofocus' : ''}>
<p class="hint" id="${id}-rule">At least ${least} characters. A few words that you remember are better than a short, complicated password.</p>
<label for="${id}-repeated">The same once more</label>
<input id="${id}-repeated" name="repeated" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}">`;
}
