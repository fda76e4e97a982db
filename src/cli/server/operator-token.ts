import { readOperatorCredential } from '../../authorization/index.ts';
import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';

/**
 * What proves to a server that its operator asks: the token in `TRADEWIND_TOKEN`, else the credential
 * that the server left in its data directory. That one goes to this machine, or to the address that
 * the server itself is set to, and to nobody else. Throws {@link UsageError} where there is none.
 */
export function operatorTokenFor(url: string, { flags, terminal }: CommandInput): string {
  const { TRADEWIND_TOKEN, TRADEWIND_DATA_DIR, TRADEWIND_PUBLIC_URL } = terminal.environment;
  if (TRADEWIND_TOKEN) return TRADEWIND_TOKEN;
  const { origin, hostname } = new URL(url);
  const isOurs =
    isLoopbackHost(hostname) || origin === URL.parse(TRADEWIND_PUBLIC_URL ?? '')?.origin;
  const dataDir = String(flags['data-dir'] ?? (TRADEWIND_DATA_DIR || './data'));
  const credential = isOurs ? readOperatorCredential(dataDir) : undefined;
  if (credential !== undefined) return credential;
  throw new UsageError(
    isOurs
      ? `No running server has left its credential in ${JSON.stringify(dataDir)}: name its data directory with --data-dir, or set TRADEWIND_TOKEN to an access token of scope admin.`
      : `${origin} is another machine: set TRADEWIND_TOKEN to an access token of scope admin for it.`,
  );
}
