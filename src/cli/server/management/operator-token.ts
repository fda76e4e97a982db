import { readOperatorCredential } from '../../../authorization/index.ts';
import { isLoopbackHost } from '../../../kernel/network/is-loopback-host.ts';
import type { CommandInput } from '../../command.ts';
import { UsageError } from '../../input/usage-error.ts';

/**
 * What proves to a server that its operator asks: the token in `TRADEWIND_TOKEN`, else the credential
 * that the server left in its data directory. That one goes to this machine, or to the address that
 * the server itself is set to, and to nobody else. Throws {@link UsageError} where there is none.
 */
export function operatorTokenFor(url: string, input: CommandInput): string {
  const { TRADEWIND_TOKEN } = input.terminal.environment;
  if (TRADEWIND_TOKEN) return TRADEWIND_TOKEN;
  const credential = findOperatorCredential(url, input);
  if (credential !== undefined) return credential;
  const { isOurs, dataDir } = placeOf(url, input);
  const { origin } = new URL(url);
  throw new UsageError(
    isOurs
      ? `No running server has left its credential in ${JSON.stringify(dataDir)}: name its data directory with --data-dir, or set TRADEWIND_TOKEN to an access token of scope admin.`
      : `${origin} is another machine: set TRADEWIND_TOKEN to an access token of scope admin for it.`,
  );
}

/** The credential that a server left in its data directory, where that server is meant. */
export function findOperatorCredential(url: string, input: CommandInput): string | undefined {
  const { isOurs, dataDir } = placeOf(url, input);
  return isOurs ? readOperatorCredential(dataDir) : undefined;
}

function placeOf(url: string, { flags, terminal }: CommandInput) {
  const { TRADEWIND_DATA_DIR, TRADEWIND_PUBLIC_URL } = terminal.environment;
  const { origin, hostname } = new URL(url);
  const isOurs =
    isLoopbackHost(hostname) || origin === URL.parse(TRADEWIND_PUBLIC_URL ?? '')?.origin;
  return { isOurs, dataDir: String(flags['data-dir'] ?? (TRADEWIND_DATA_DIR || './data')) };
}
