import type { EdgeRequest } from '../../../kernel/http/edge-request.ts';
import { prefersPage } from '../../../kernel/http/page/prefers-page.ts';

const pagePath = /^\/(authorize|device|account)(\/|$)/;

/** Whether a browser shows a person what comes back: on a path of pages, to whom HTML is the dearest. */
export function wantsPage(request: EdgeRequest): boolean {
  return pagePath.test(request.path) && prefersPage(request);
}
