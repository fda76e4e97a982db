import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';

const pagePath = /^\/(authorize|device|account)(\/|$)/;

/** Whether a browser shows a person what comes back: on a path of pages, to whom HTML is the dearest. */
export function wantsPage(c: Context<EdgeEnv>): boolean {
  const supports = ['text/html', 'application/json'];
  const kind = accepts(c, { header: 'Accept', supports, default: 'application/json' });
  return pagePath.test(c.req.path) && kind === 'text/html';
}
