import type { OperationContext } from '../../kernel/http/answer-operation.ts';

/**
 * The address at which the client reached this server, ending in `/` (E9.3): scheme and host of the
 * request, or what a declared proxy says of them in `X-Forwarded-Proto` and `X-Forwarded-Host`. Hosts
 * that are not ours do not come this far.
 */
export function addressUsed({ request, peer }: OperationContext): string {
  const url = new URL(request.url);
  const isProxied = peer?.isProxy === true;
  const forwarded = (name: string) =>
    isProxied ? request.header(name)?.split(',').at(-1)?.trim().toLowerCase() : undefined;
  const own = request.connection?.encrypted ? 'https' : url.protocol.replace(':', '');
  const proto = forwarded('x-forwarded-proto');
  const scheme = proto === 'https' || proto === 'http' ? proto : own;
  const host = forwarded('x-forwarded-host') ?? request.header('host') ?? url.host;
  return `${scheme}://${host}/`;
}
