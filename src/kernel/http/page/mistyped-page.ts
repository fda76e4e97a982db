import { html } from 'hono/html';
import { type EdgeError, edgeErrorStatus } from '../messages/edge-error.ts';
import { renderPage } from './render-page.ts';

/** Tells a person that an address or method is not served, and links to the start page. */
export function mistypedPage({ code, message }: EdgeError): Promise<Response> {
  const title = code === 'NOT_FOUND' ? 'There is nothing here' : 'This is not a page';
  return renderPage({
    title,
    status: edgeErrorStatus[code],
    footer: 'Programs that do not ask for HTML get the same answer in JSON.',
    body: html`<section class="card">
<h1>${title}</h1>
<p>${message}</p>
<p><a href="/">To the start page of this server</a></p>
</section>`,
  });
}
