import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/settings/load-config.ts';
import { startServer } from '../../src/app/start-server.ts';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createDataDir } from './create-data-dir.ts';
import { findProgram } from './installed-programs.ts';
import { withOwner } from './open-test-authorization.ts';

/** So long that only a hang reaches it. */
const patienceMs = 120_000;

/** The real server, on a port of its own, with authorization and nothing else. */
export async function startPages(environment: Record<string, string> = withOwner) {
  const { config } = loadConfig({
    environment: {
      TRADEWIND_PORT: '0',
      TRADEWIND_DATA_DIR: createDataDir(),
      TRADEWIND_SERVICES: 'authorization',
      TRADEWIND_DEVCHAIN: 'off',
      ...environment,
    },
    flags: {},
  });
  const logger = createLogger({ level: 'silent', format: 'json', write: () => {} });
  const server = await startServer({ config, logger });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { ...server.facts, stop };
}

/** One browser for all test files of the process. It ends with the process. */
let browser: Promise<Browser> | undefined;

function launchChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  // Chromium's sandbox does not start for root, and containers run as root.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: patienceMs });
}

/** A real Chromium; each call opens a window with cookies of its own, which closes when the running test is over. */
export function useChromium(): (options?: BrowserContextOptions) => Promise<Page> {
  return async (options = {}) => {
    browser ??= launchChromium();
    const context = await (await browser).newContext(options);
    context.setDefaultTimeout(patienceMs);
    onTestFinished(() => context.close());
    return context.newPage();
  };
}

/** A client with a registration of its own and a redirect URI on this machine. */
export async function startClient(serverUrl: string, name = 'Weather agent') {
  const answers: URL[] = [];
  const listener = createServer((request, response) => {
    answers.push(new URL(request.url ?? '', 'http://localhost'));
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Back at the client</title><p>Back at the client');
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const redirectUri = `http://localhost:${(listener.address() as AddressInfo).port}/callback`;
  const scope = 'swap.read subscriptions.read subscriptions.write';
  const registered = await fetch(`${serverUrl}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      scope,
    }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };

  return {
    /** The redirects that came back, without the browser's requests for icons. */
    answers: () => answers.filter(({ pathname }) => pathname === '/callback'),
    /** A new authorization request: the address to open, and the verifier to redeem the code with. */
    ask() {
      const { codeVerifier, codeChallenge } = createPkce();
      const url = new URL('/authorize', serverUrl);
      url.search = String(
        new URLSearchParams({
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
          scope,
          state: codeVerifier.slice(0, 8),
        }),
      );
      return { url: url.href, codeVerifier };
    },
    async redeem(code: string, codeVerifier: string) {
      const response = await fetch(`${serverUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: codeVerifier,
          client_id: clientId,
          redirect_uri: redirectUri,
        }),
      });
      return (await response.json()) as {
        access_token: string;
        refresh_token: string;
        scope: string;
      };
    },
    async refresh(refreshToken: string) {
      const response = await fetch(`${serverUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          client_id: clientId,
        }),
      });
      return response.status;
    },
  };
}
