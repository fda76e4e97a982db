import { EdgeError, edgeErrorStatus } from '../../../kernel/http/messages/edge-error.ts';
import type { EdgeRequest } from '../../../kernel/http/messages/edge-request.ts';
import { explainStoreFailure } from '../../../kernel/http/messages/explain-store-failure.ts';
import { AuthorizationError, authorizationErrorStatus } from '../../authorization-error.ts';
import { messagePage } from './message-page.ts';
import { passingSeconds } from './passing-seconds.ts';

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
