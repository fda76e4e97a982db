import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import { type FormFrame, notice, postForm } from './form-parts.ts';
import { newPasswordFields } from './new-password-fields.ts';

/** The first page of a new server: the owner chooses a password. */
export function setUpPage(
  page: FormFrame & { secret: string; problem: string | undefined },
): Promise<Response> {
  const { secret, problem } = page;
  const title = 'Set up this server';
  const body = html`<section class="card">
<h1>${title}</h1>
<p>Choose the password of the account <strong>owner</strong>. With it you sign in, allow programs to act for you, and make accounts for others.</p>
${notice(problem)}
${postForm(
  page,
  'set-up',
  html`<input type="hidden" name="secret" value="${secret}">
<input type="hidden" name="username" value="owner" autocomplete="username">
${newPasswordFields('owner', { isFocused: true })}
<div class="row"><button class="main">Set password and sign in</button></div>`,
)}
</section>`;
  return renderPage({ title, body, ...(problem === undefined ? {} : { status: 400 }) });
}
