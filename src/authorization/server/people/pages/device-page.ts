import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import { type FormFrame, notice, postForm } from './form-parts.ts';

/** The page on which a person types the code that a device shows (RFC 8628 section 3.3). */
export function devicePage(
  page: FormFrame & { userCode: string | undefined; problem: string | undefined },
): Promise<Response> {
  const { userCode, problem } = page;
  const body = html`<section class="card">
<h1>Connect a device</h1>
<p>Type the code that the device or program shows you.</p>
${notice(problem)}
${postForm(
  page,
  'code',
  html`<label for="user_code">Code</label>
<input class="code" id="user_code" name="user_code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="32" value="${userCode ?? ''}" autofocus>
<p class="hint">Continue only if you started this yourself. Nobody who calls or writes to you needs this code.</p>
<div class="row"><button class="main">Continue</button></div>`,
)}
</section>`;
  return renderPage({ title: 'Connect a device', body, ...(problem ? { status: 400 } : {}) });
}
