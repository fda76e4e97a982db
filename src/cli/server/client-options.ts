import { commandLineClientId } from '../../app/command-line-client.ts';
import {
  type AuthorizedFetchOptions,
  credentialsFromEnvironment,
  type DeviceCode,
  openDefaultVault,
  openSystemBrowser,
} from '../../authorization/client/index.ts';
import { vaultDirectory } from '../../authorization/index.ts';
import { giveUpRootFor } from '../../kernel/process/data-directory.ts';
import { longestRequestUrl, parseUrl } from '../../kernel/text/url.ts';
import type { CommandInput, CommandOption, Terminal } from '../command.ts';
import { plainText } from '../plain-text.ts';
import { eraseLine } from '../terminal.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** The flags of commands that may have to sign in. */
export const signInOptions = {
  scope: {
    type: 'string',
    argument: '<scope>',
    help: 'The scopes to ask for at sign-in, instead of those that the command and the server need.',
  },
  'no-browser': {
    type: 'boolean',
    help: 'Do not open a browser: print the address, and read the redirect address from the terminal.',
  },
  device: {
    type: 'boolean',
    help: 'Sign in on another device with a code. Fails if the server has no device flow.',
  },
  'redirect-uri': {
    type: 'string',
    argument: '<url>',
    help: 'The redirect URI of a client id that was registered beforehand.',
  },
} as const satisfies Record<string, CommandOption>;

/** The options of the OAuth client for the command line: from environment, flags, and a person at the terminal. */
export function clientOptions(
  serverUrl: string,
  { flags, terminal }: CommandInput,
): AuthorizedFetchOptions {
  const { environment, readLine } = terminal;
  const isBrowserless = flags['no-browser'] === true;
  return {
    serverUrl,
    vault: openOwnVault(environment),
    fetch: boundedFetch,
    ...credentialsFromEnvironment(environment),
    builtInClientId: commandLineClientId,
    clientName: 'Tradewind command line',
    scope: flags.scope === undefined ? undefined : String(flags.scope),
    redirectUri: flags['redirect-uri'] === undefined ? undefined : String(flags['redirect-uri']),
    openBrowser(url) {
      tell(terminal, `Sign in at ${url}`);
      if (!isBrowserless) openSystemBrowser(url, { environment });
    },
    ...(flags.device ? { showDeviceCode: (code) => tell(terminal, describe(code)) } : {}),
    ...(isBrowserless && readLine !== undefined
      ? { pasteRedirect: (_url, signal) => askForRedirect(signal) }
      : {}),
    ...(readLine !== undefined && terminal.stderr.isTTY ? { askClientId } : {}),
  };

  async function askForRedirect(signal: AbortSignal): Promise<string> {
    tell(terminal, 'Then paste the address that the browser shows at the end:');
    for (;;) {
      const line = await readLine?.(signal);
      // Nobody can type here, but the browser may still reach the redirect URI.
      if (line === undefined) return new Promise(() => {});
      if (parseUrl(line.trim(), { longest: longestRequestUrl }) !== undefined) return line;
      tell(terminal, 'That is not an address. Paste the whole address that the browser shows:');
    }
  }

  async function askClientId(issuer: string) {
    tell(terminal, `${plainText(issuer)} registers no clients. Client id:`);
    const clientId = (await readLine?.()) ?? '';
    tell(terminal, 'Client secret (empty for none):');
    const clientSecret = await readLine?.();
    return { clientId, ...(clientSecret ? { clientSecret } : {}) };
  }
}

/** Writes a line for the person, in place of any progress that is shown. */
function tell({ stderr }: Terminal, text: string): void {
  if (stderr.isTTY) stderr.draw(eraseLine);
  stderr.write(`${text}\n`);
}

function describe({ userCode, verificationUri, verificationUriComplete }: DeviceCode): string {
  const direct =
    verificationUriComplete === undefined ? '' : `\nOr open ${verificationUriComplete}`;
  return `Open ${verificationUri} and enter ${plainText(userCode)}${direct}`;
}

/**
 * The vault that the environment names. Root goes on as another user where the directory is theirs (N19): `sudo` may keep the home of
 * the user who called it, and `TRADEWIND_DATA_DIR` may name the data of a service.
 */
export function openOwnVault(environment: Readonly<Record<string, string | undefined>>) {
  giveUpRootFor(vaultDirectory(environment, process.platform));
  return openDefaultVault(environment);
}
