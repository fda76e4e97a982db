import { readOperatorCredential } from '../../../authorization/index.ts';
import { lookIntoDataDirectory } from '../../../kernel/files/data-directory.ts';
import { isLoopbackHost } from '../../../kernel/network/is-loopback-host.ts';
import { parseUrl } from '../../../kernel/text/parse-url.ts';
import type { Flags, Terminal } from '../../command.ts';

/**
 * The credential that a server left in its data directory, which authenticates its operator. It is returned only for
 * an address on this machine or at the origin of `TRADEWIND_PUBLIC_URL`. Root reads it with the rights of the directory's
 * owner only (N19).
 */
export function findOperatorCredential(
  url: string,
  { flags, terminal }: { flags: Flags; terminal: Pick<Terminal, 'environment'> },
): string | undefined {
  const { TRADEWIND_DATA_DIR, TRADEWIND_PUBLIC_URL } = terminal.environment;
  const { origin, hostname } = new URL(url);
  const isOurs =
    isLoopbackHost(hostname) || origin === parseUrl(TRADEWIND_PUBLIC_URL ?? '')?.origin;
  if (!isOurs) return undefined;
  const dataDir = String(flags['data-dir'] ?? (TRADEWIND_DATA_DIR || './data'));
  return lookIntoDataDirectory(dataDir, readOperatorCredential);
}
