import { parseAccept } from 'hono/utils/accept';
import type { EdgeRequest } from '../messages/edge-request.ts';

const kinds = ['text/html', 'application/json'];

/** Whether a browser will show the answer to a person: it names HTML and prefers it to JSON. */
export function prefersPage({ header }: Pick<EdgeRequest, 'header'>): boolean {
  const dearest = parseAccept(header('accept') ?? '').find(
    ({ type, q }) => q > 0 && kinds.includes(type.toLowerCase()),
  );
  return dearest?.type.toLowerCase() === 'text/html';
}
