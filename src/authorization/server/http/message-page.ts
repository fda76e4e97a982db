import { html } from 'hono/html';
import { type Page, renderPage } from '../../../kernel/http/page/render-page.ts';

export type Message = {
  readonly title: string;
  /** What happened and what the person can do now. */
  readonly text: string;
  readonly status?: Page['status'];
  /** Where to go on. */
  readonly next?: { readonly href: string; readonly label: string };
};

/** A page with one message, such as why a request was refused. It never redirects. */
export function messagePage({ title, text, status, next }: Message): Promise<Response> {
  const body = html`<section class="card">
<h1>${title}</h1>
<p>${text}</p>
${next === undefined ? '' : html`<p><a href="${next.href}">${next.label}</a></p>`}
</section>`;
  return renderPage({ title, body, ...(status === undefined ? {} : { status }) });
}
