import type { CallContext } from '../../kernel/http/mount/answer-operation.ts';
import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';

/**
 * The address of this server for the client, ending in `/` (E9.3): that of the public URL, which no header changes
 * (F18). Only on loopback is it the host name that the client used, since `localhost`, 127.0.0.1 and a forwarded
 * port all lead to the same server.
 */
export function addressUsed({ request }: Pick<CallContext, 'request'>, publicUrl: URL): string {
  const { hostname, host } = request.address;
  const isLocal = isLoopbackHost(publicUrl.hostname) && isLoopbackHost(hostname);
  return isLocal ? `${publicUrl.protocol}//${host}/` : `${publicUrl.origin}/`;
}
