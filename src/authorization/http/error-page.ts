import { html } from 'hono/html';
import { EdgeError, edgeErrorStatus, explainStoreFailure } from '../../kernel/edge/edge-error.ts';
import { type Page, prefersPage, renderPage } from '../../kernel/edge/page.ts';
import type { EdgeRequest } from '../../kernel/edge/request.ts';
import { AuthorizationError, authorizationErrorStatus } from '../authorization-error.ts';

/**
 * The error handler of the pages: a refusal becomes a page that says what to do, and never leads to another site.
 * Any other error is rethrown to the edge, which hides its text.
 */
export async function showErrorPage(
  error: Error,
  c: { readonly req: Pick<EdgeRequest, 'method' | 'path'> },
): Promise<Response> {
  const next = { href: pathToReturnTo(c.req.path), label: 'Back to the page' };
  if (error instanceof AuthorizationError) {
    const status = authorizationErrorStatus[error.code];
    const isLinkOver = c.req.path === '/account/set-up' && error.code === 'access_denied';
    const nextAfterRefusal = isLinkOver
      ? { next: { href: '/account', label: 'Sign in' } }
      : c.req.method === 'POST'
        ? { next }
        : {};
    const response = await messagePage({
      title: status === 403 ? 'This was not done' : 'This cannot continue',
      text: error.message,
      status,
      ...nextAfterRefusal,
    });
    if (error.code === 'temporarily_unavailable') {
      response.headers.set('Retry-After', passingSeconds);
    }
    return response;
  }
  const refusal = explainStoreFailure(error) ?? error;
  if (refusal instanceof EdgeError) {
    const { code, message, headers } = refusal;
    const isPassing = code === 'RATE_LIMITED' || code === 'STORE_UNAVAILABLE';
    const response = await messagePage({
      title: isPassing ? 'Not now' : 'This cannot continue',
      text: message,
      status: edgeErrorStatus[code],
      ...(isPassing ? { next } : {}),
    });
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
  throw error;
}

/** The page that a form's address lies below: `/authorize/abc/consent` was posted from `/authorize/abc`. */
function pathToReturnTo(path: string): string {
  const [, first = 'account', second] = path.split('/');
  return first === 'authorize' && second !== undefined ? `/authorize/${second}` : `/${first}`;
}

const pagePath = /^\/(authorize|device|account)(\/|$)/;

/** Whether a person sees the answer in a browser: on a path of pages, to a client that prefers HTML. */
export function wantsPage(request: EdgeRequest): boolean {
  return pagePath.test(request.path) && prefersPage(request);
}

type Message = {
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

/** `Retry-After` of a page that refuses because too many ask at this moment: they are served within seconds. */
export const passingSeconds = '5';
