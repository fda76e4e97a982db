import type { EdgeRequest } from '../../../kernel/http/messages/edge-request.ts';
import { prefersPage } from '../../../kernel/http/page/prefers-page.ts';

const pagePath = /^\/(authorize|device|account)(\/|$)/;

/** Whether a person sees the answer in a browser: on a path of pages, to a client that prefers HTML. */
export function wantsPage(request: EdgeRequest): boolean {
  return pagePath.test(request.path) && prefersPage(request);
}
