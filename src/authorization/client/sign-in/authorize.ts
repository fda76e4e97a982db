import * as oauth from 'oauth4webapi';
import { firstOf } from '../../../kernel/cancel/first-of.ts';
import { drawText } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import { longestRequestUrl, parseUrl } from '../../../kernel/text/parse-url.ts';
import { TimedOut, withDeadline } from '../../../kernel/time/with-deadline.ts';
import { createPkce } from '../../protocol/pkce.ts';
import { checkUrl } from '../check-url.ts';
import { ClientError } from '../client-error.ts';
import type { Grant } from '../records.ts';
import { requestTokens, type TokenEndpoint, toLibrary } from '../tokens/request-tokens.ts';
import type { RedirectListener } from './open-redirect-listener.ts';

/** How the person is asked to sign in. */
export type SignInDialog = {
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
export type PreparedAuthorization = {
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
