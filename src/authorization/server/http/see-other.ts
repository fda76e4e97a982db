import type { Context } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/mount/edge-env.ts';

/** Sends the browser on after a form: by 303, so that it does not post again, and not to be cached (R1). */
export function seeOther(c: Context<EdgeEnv>, location: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(location, 303);
}
