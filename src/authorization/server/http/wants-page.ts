import { parseAccept } from 'hono/utils/accept';
import type { EdgeRequest } from '../../../kernel/http/edge-request.ts';

const pagePath = /^\/(authorize|device|account)(\/|$)/;
const kinds = ['text/html', 'application/json'];

/** Whether a browser shows a person what comes back: on a path of pages, to whom HTML is the dearest. */
export function wantsPage({ path, header }: EdgeRequest): boolean {
  const wanted = parseAccept(header('accept') ?? '').find(
    ({ type, q }) => q > 0 && kinds.includes(type.toLowerCase()),
  );
  return pagePath.test(path) && wanted?.type.toLowerCase() === 'text/html';
}
