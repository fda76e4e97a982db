import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import { passwordLength } from '../accounts/create-passwords.ts';

/**
 * A new password, typed twice: the fields `password` and `repeated`. `id` tells them from others on the page, and a
 * page that is about nothing else has the focus there.
 */
export function newPasswordFields(id: string, { isFocused = false } = {}): Html {
  const { least, most } = passwordLength;
  return html`<label for="${id}-password">New password</label>
<input id="${id}-password" name="password" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}" aria-describedby="${id}-rule" ${isFocused ? 'autofocus' : ''}>
<p class="hint" id="${id}-rule">At least ${least} characters. A few words that you remember are better than a short riddle.</p>
<label for="${id}-repeated">The same once more</label>
<input id="${id}-repeated" name="repeated" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}">`;
}
