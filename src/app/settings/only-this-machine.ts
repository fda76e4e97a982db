import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';
import type { Config } from './all-settings.ts';

/**
 * Whether strangers can be on this machine alone: the server listens on loopback, and neither a declared proxy nor a
 * public address says that something brings callers from elsewhere (N22).
 */
export function isOnlyThisMachine({
  host,
  trustedProxy = [],
  publicUrl,
}: Config['server']): boolean {
  const named = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  return isLoopbackHost(host) && trustedProxy.length === 0 && isLoopbackHost(named);
}
