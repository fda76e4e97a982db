import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import { isLoopbackHost } from '../../../kernel/model/network.ts';
import { drawText, type Random } from '../../../kernel/model/random.ts';
import { longestRequestUrl, parseUrl } from '../../../kernel/text/url.ts';
import { firstOf } from '../../../kernel/wait/cancel.ts';
import { TimedOut, withDeadline } from '../../../kernel/wait/deadline.ts';
import { createPkce } from '../../protocol/pkce.ts';
import { ClientError } from '../client-error.ts';
import { checkUrl } from '../discovery-fetch.ts';
import type { Grant } from '../records.ts';
import { requestTokens, type TokenEndpoint, toLibrary } from '../request-tokens.ts';

/** How the person is asked to sign in. */
type SignInDialog = {
  /** Shows the person this address; it was checked before. */
  openBrowser(url: string): unknown;
  /** Asks the person for the address that the browser ended at, where that is on another machine. */
  readonly pasteRedirect?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** How long the person may take. */
  readonly timeoutMs: number;
};

export type AuthorizationRequest = {
  readonly tokenEndpoint: TokenEndpoint;
  readonly random: Random;
  readonly scope: readonly string[];
  readonly resource: string | undefined;
};

/** An authorization request that is ready for the browser, and what its answer must match. */
type PreparedAuthorization = {
  readonly url: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
};

/**
 * Writes an authorization request: always PKCE with S256 and a fresh `state`. Throws `UNSUPPORTED` for a
 * server that publishes other challenge methods only, and `UNSAFE_URL`.
 */
export function prepareAuthorization(
  { tokenEndpoint, random, scope, resource }: AuthorizationRequest,
  redirectUri: string,
): PreparedAuthorization {
  const { metadata, registration } = tokenEndpoint;
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = metadata;
  if (endpoint === undefined || methods?.includes('S256') === false) {
    throw new ClientError(
      'UNSUPPORTED',
      `${metadata.issuer} offers no safe sign-in (an authorization endpoint with PKCE by S256): ask its operator to add one.`,
    );
  }
  const { codeVerifier, codeChallenge } = createPkce(random);
  const state = drawText(random, 32);
  const url = checkUrl(endpoint, 'authorization_endpoint');
  const parameters = {
    response_type: 'code',
    client_id: registration.clientId,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state,
    ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
    ...(resource === undefined ? {} : { resource }),
    // OpenID Connect Core section 11: without `prompt=consent` the server ignores `offline_access`.
    ...(scope.includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, redirectUri, codeVerifier };
}

/**
 * Sends the person to the authorization endpoint and exchanges the code that comes back. The answer must
 * carry our `state`, and the `iss` of the very server that was asked (RFC 9207).
 *
 * Throws `ACCESS_DENIED`, `SIGN_IN_TIMED_OUT`, `INVALID_REDIRECT`, `AUTHORIZATION_REFUSED`.
 */
export async function authorize(options: {
  request: AuthorizationRequest;
  prepared: PreparedAuthorization;
  listener: RedirectListener;
  dialog: SignInDialog;
}): Promise<Grant> {
  const { request, prepared } = options;
  const { tokenEndpoint, scope, resource } = request;
  const answer = await waitForAnswer(options);
  const code = readCode(answer, prepared, tokenEndpoint);
  return requestTokens(tokenEndpoint, {
    grantType: 'authorization_code',
    parameters: {
      code,
      code_verifier: prepared.codeVerifier,
      redirect_uri: prepared.redirectUri,
      resource,
    },
    scope,
  });
}

async function waitForAnswer(options: Parameters<typeof authorize>[0]): Promise<URLSearchParams> {
  const { request, prepared, listener, dialog } = options;
  const { openBrowser, pasteRedirect, timeoutMs } = dialog;
  const { tokenEndpoint } = request;
  const never = new Promise<never>(() => {});
  const deadline = {
    clock: tokenEndpoint.clock,
    milliseconds: timeoutMs,
    signal: tokenEndpoint.signal,
  };
  try {
    return await withDeadline(deadline, (ended) =>
      firstOf<URLSearchParams>(
        [
          () => listener.wait(prepared.state),
          // The browser opens long before the person is done: only a failure to open ends the wait.
          async () => {
            await openBrowser(prepared.url);
            return never;
          },
          (signal) => pasteRedirect?.(prepared.url, signal).then(readPasted) ?? never,
        ],
        ended,
      ),
    );
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    throw new ClientError(
      'SIGN_IN_TIMED_OUT',
      `Nobody finished the sign-in at ${tokenEndpoint.metadata.issuer} within ${timeoutMs / 1_000} s: start again.`,
    );
  }
}

function readPasted(text: string): URLSearchParams {
  const url = parseUrl(text.trim(), { longest: longestRequestUrl });
  if (url !== undefined) return url.searchParams;
  throw new ClientError(
    'INVALID_REDIRECT',
    'The pasted text is not an address: paste the whole address that the browser shows after the sign-in.',
  );
}

function readCode(
  answer: URLSearchParams,
  { state }: PreparedAuthorization,
  tokenEndpoint: TokenEndpoint,
) {
  const { metadata, registration } = tokenEndpoint;
  try {
    const client = { client_id: registration.clientId };
    const checked = oauth.validateAuthResponse(toLibrary(metadata), client, answer, state);
    const code = checked.get('code');
    if (code !== null) return code;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw refused(error, metadata.issuer);
    // The library's message names the parameter. Its cause contains the code, so it is dropped.
    throw invalid(error instanceof Error ? error.message : String(error), metadata.issuer);
  }
  throw invalid('it has no code', metadata.issuer);
}

function refused({ error, error_description }: oauth.AuthorizationResponseError, issuer: string) {
  const isDenied = error === 'access_denied';
  return new ClientError(
    isDenied ? 'ACCESS_DENIED' : 'AUTHORIZATION_REFUSED',
    `${issuer} ${isDenied ? 'denied this client access' : 'refused'} (${error}${error_description === undefined ? '' : `: ${error_description}`}).`,
    { details: { error } },
  );
}

function invalid(reason: string, issuer: string): ClientError {
  return new ClientError(
    'INVALID_REDIRECT',
    `The answer to the sign-in at ${issuer} is not accepted (${reason}): it may come from somebody else. Start again.`,
  );
}

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
