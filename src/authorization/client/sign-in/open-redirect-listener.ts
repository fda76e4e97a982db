import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '../../../kernel/network/is-loopback-host.ts';
import { checkUrl } from '../check-url.ts';
import { ClientError } from '../client-error.ts';

/** Waits on this machine for the browser to come back. */
export type RedirectListener = {
  readonly redirectUri: string;
  /** The parameters of the first answer with this `state`. Other answers are refused. */
  wait(state: string): Promise<URLSearchParams>;
  close(): void;
};

const loopback = '127.0.0.1';

/**
 * Listens at the configured redirect URI, else at `preferred`, else on a free port. It leaves
 * `preferred` if its port is in use, but never a configured URI. A redirect URI on another machine has
 * no listener: the person must paste its answer.
 *
 * Throws `INSECURE_URL` for a redirect URI that is neither HTTPS nor on this machine.
 */
export async function openRedirectListener(options: {
  configured?: string | undefined;
  preferred?: string | undefined;
}): Promise<RedirectListener> {
  const { configured, preferred } = options;
  if (configured !== undefined) return listenAt(checkUrl(configured, 'redirect URI'));
  if (preferred !== undefined) {
    const listener = await listenAt(new URL(preferred)).catch(() => undefined);
    if (listener !== undefined) return listener;
  }
  return listenAt(undefined);
}

async function listenAt(uri: URL | undefined): Promise<RedirectListener> {
  if (uri !== undefined && !isLoopbackHost(uri.hostname)) {
    return { redirectUri: uri.href, wait: () => new Promise(() => {}), close() {} };
  }
  const waiting = new Map<string, (answer: URLSearchParams) => void>();
  const path = uri?.pathname ?? '/callback';
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${loopback}`);
    const state = searchParams.get('state') ?? '';
    const accept = pathname === path ? waiting.get(state) : undefined;
    if (accept !== undefined) waiting.delete(state);
    response.writeHead(accept === undefined ? 400 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(accept === undefined ? strangerPage : donePage, () => accept?.(searchParams));
  });
  server.listen(Number(uri?.port ?? 0), uri?.hostname === '[::1]' ? '::1' : loopback);
  await once(server, 'listening').catch((cause) => {
    throw new ClientError(
      'UNSUPPORTED',
      `The port ${uri?.port} of the redirect URI is in use: end the program that uses it, or configure another port.`,
      { cause },
    );
  });
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    redirectUri: uri?.href ?? `http://${loopback}:${port}${path}`,
    wait: (state) => new Promise((resolve) => waiting.set(state, resolve)),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const page = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Tradewind</title><h1>${text}</h1></html>`;
const donePage = page('Done. You can close this window and go back.');
const strangerPage = page('No sign-in is waiting for this answer. Start again.');
