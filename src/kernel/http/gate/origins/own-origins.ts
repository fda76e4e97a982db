import { isLoopbackHost } from '../../../network/is-loopback-host.ts';
import type { EdgeRequest } from '../../messages/edge-request.ts';

export type OriginRules = {
  readonly publicUrl: URL;
  /** Origins that the operator trusts like our own. */
  readonly allowedOrigins?: readonly string[];
};

/**
 * Whether an origin is ours: that of the public URL, one allowed by name, or a loopback origin that is
 * exactly the host the request names, so a developer may say 127.0.0.1 for localhost. Another port of
 * this machine is another origin. Does not check that the host is ours: {@link checkHost} does.
 */
export function ownOrigins({
  publicUrl,
  allowedOrigins = [],
}: OriginRules): (origin: string, request: Pick<EdgeRequest, 'address'>) => boolean {
  const own = new Set([publicUrl.origin, ...allowedOrigins]);
  return (origin, { address }) =>
    own.has(origin) || (origin === address.origin && isLoopbackHost(address.hostname));
}
