import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { checkUrl } from '../discovery-fetch.ts';

export type BrowserOptions = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
};

/**
 * Passes a checked http(s) address as a single argument, without a shell, to the browser that `BROWSER`
 * names or to the system's opener. It does not wait, and does not fail if there is no browser, so the
 * caller must show the address as well. Throws `UNSAFE_URL` and `INSECURE_URL` for any other address.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, openSystemBrowser } from 'tradewind/client';
 *
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   openBrowser: (url) => {
 *     console.error(`Sign in at ${url}`);
 *     openSystemBrowser(url);
 *   },
 * });
 * ```
 */
export function openSystemBrowser(url: string, options: BrowserOptions = {}): void {
  const { environment = process.env, platform = process.platform } = options;
  const { href } = checkUrl(url, 'address for the browser');
  const [command, ...args] = openerOf(environment.BROWSER, platform, href);
  const opener = spawn(command, args, {
    shell: false,
    detached: true,
    stdio: 'ignore',
    env: environment,
  });
  opener.on('error', () => {});
  opener.unref();
}

function openerOf(
  browser: string | undefined,
  platform: NodeJS.Platform,
  href: string,
): [string, ...string[]] {
  if (browser) return browserCommand(browser, href);
  if (platform === 'darwin') return ['open', href];
  // `start` is a command of the Windows shell; this is the program behind it.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', href];
  return ['xdg-open', href];
}

/** `BROWSER` is a program, or a command whose words are its arguments, with `%s` for the address. */
function browserCommand(browser: string, href: string): [string, ...string[]] {
  if (existsSync(browser)) return [browser, href];
  const [command = browser, ...words] = browser.split(/\s+/).filter(Boolean);
  if (!words.includes('%s')) return [command, ...words, href];
  return [command, ...words.map((word) => (word === '%s' ? href : word))];
}
