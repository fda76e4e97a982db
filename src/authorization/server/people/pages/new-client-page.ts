import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';

/** What a client that was just made needs to know. Its secret is shown this once and stored nowhere. */
export function newClientPage(made: {
  clientId: string;
  clientSecret: string | undefined;
}): Promise<Response> {
  const { clientId, clientSecret } = made;
  const title = 'The client was added';
  const body = html`<section class="card">
<h1>${title}</h1>
<dl><dt>Client id</dt><dd><code>${clientId}</code></dd>
${clientSecret === undefined ? '' : html`<dt>Client secret</dt><dd><code>${clientSecret}</code></dd>`}</dl>
${clientSecret === undefined ? '' : html`<p class="note warn">Copy the secret now: it is shown only this once.</p>`}
<p><a href="/account">Back to your account</a></p>
</section>`;
  return renderPage({ title, body });
}
