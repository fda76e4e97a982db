import type { Context } from 'hono';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';

/**
 * The address at which the client reached this server, ending in `/` (E9.3): scheme and host of the
 * request, or what a declared proxy says of them in `X-Forwarded-Proto` and `X-Forwarded-Host`. Hosts
 * that are not ours do not come this far.
 */
export function addressUsed(c: Context<EdgeEnv>): string {
  const url = new URL(c.req.url);
  const isProxied = c.get('context').peer?.isProxy === true;
  const forwarded = (name: string) =>
    isProxied ? c.req.header(name)?.split(',').at(-1)?.trim().toLowerCase() : undefined;
  const own = c.env?.connection?.encrypted ? 'https' : url.protocol.replace(':', '');
  const proto = forwarded('x-forwarded-proto');
  const scheme = proto === 'https' || proto === 'http' ? proto : own;
  const host = forwarded('x-forwarded-host') ?? c.req.header('host') ?? url.host;
  return `${scheme}://${host}/`;
}
