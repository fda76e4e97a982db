import { AuthorizationError, type ErrorRedirect } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import type { Client, FindClient } from '../model/client.ts';
import type { BrowserAnswer, WaitingRequest } from '../model/request.ts';
import type { Form } from '../protocol/form.ts';
import { isRegisteredRedirectUri } from '../protocol/redirect-uri.ts';
import type { Scopes } from '../protocol/scope.ts';
import { checkAccess, type ResourceRules } from './check-access.ts';

const longestState = authorizationLimits.state.value;

export type RequestRules = {
  readonly findClient: FindClient;
  readonly resources: ResourceRules;
  readonly scopes: Scopes;
};

export type CheckedRequest = WaitingRequest & { readonly answer: BrowserAnswer };

/**
 * Runs every check of an authorization request (OAuth 2.1 section 4.1.1), in the order below. Until
 * the redirect URI is known to be the client's, an error can only be shown on a page; afterwards it
 * carries the redirect to the client. A repeated parameter is refused earlier, when the form is read.
 * Does not look for a pushed request.
 *
 * Throws {@link AuthorizationError}.
 */
export async function checkRequest(form: Form, rules: RequestRules): Promise<CheckedRequest> {
  const client = await checkClient(form, rules.findClient);
  const redirectUri = checkRedirectUri(form, client);
  const state = checkState(form);
  const isUnvetted = client.origin === 'registered' || client.origin === 'document';
  const unvetted = isUnvetted ? { name: client.name ?? client.clientId } : undefined;
  return answeringTo({ redirectUri, state, unvetted }, () => {
    checkResponse(form, client);
    const codeChallenge = checkPkce(form);
    const dpopThumbprint = checkDpopThumbprint(form);
    const access = checkAccess(form, { ...rules, client });
    const mustSignIn = checkPrompt(form);
    return {
      clientId: client.clientId,
      ...access,
      answer: { redirectUri, state, codeChallenge, dpopThumbprint },
      mustSignIn,
      loginHint: form.get('login_hint'),
    };
  });
}

/** The `state` to return to the client. Throws `invalid_request` if it is too long (F20). */
function checkState(form: Form): string | undefined {
  const state = form.get('state');
  if (state === undefined || state.length <= longestState) return state;
  throw new AuthorizationError(
    'invalid_request',
    `The state has ${state.length} characters, and ${longestState} are allowed: the program that sent you here must keep the rest itself.`,
  );
}

/** Adds the redirect to the client to the errors of the checks. */
function answeringTo<T>(redirect: ErrorRedirect, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    throw new AuthorizationError(error.code, error.message, { redirect, cause: error });
  }
}

/** The client that asks. Throws `invalid_request` without a client id, `invalid_client` for one that is not known. */
async function checkClient(form: Form, findClient: FindClient): Promise<Client> {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new AuthorizationError(
      'invalid_request',
      'The request names no client: the program that sent you here must add its client_id.',
    );
  }
  const client = await findClient(clientId);
  if (client !== undefined) return client;
  throw new AuthorizationError(
    'invalid_client',
    `No client is known by the id "${clientId.slice(0, 100)}": the program that sent you here must register again.`,
  );
}

/**
 * The redirect URI: one that the client registered (S9). A client with a single one may leave it out (OAuth 2.1
 * section 4.1.1). Throws `invalid_request`, which is never redirected.
 */
function checkRedirectUri(form: Form, client: Client): string {
  const given = form.get('redirect_uri');
  const [only, ...others] = client.redirectUris;
  if (given === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidRedirectUri(
      'The request has no redirect_uri: the program that sent you here must add one that it registered.',
    );
  }
  const isRegistered = client.isOwnPage
    ? client.redirectUris.includes(given)
    : isRegisteredRedirectUri(given, client.redirectUris);
  if (isRegistered) return given;
  throw invalidRedirectUri(
    `The redirect_uri "${given.slice(0, 200)}" is not registered for this client, so your browser is not sent there: the program that sent you here must use exactly the redirect_uri it registered.`,
  );
}

function invalidRedirectUri(message: string): AuthorizationError {
  return new AuthorizationError('invalid_request', message);
}

/**
 * Checks that the client may use codes and asks for one in the query of its redirect URI, the only
 * kind of answer that there is. Throws `unsupported_response_type`, `unauthorized_client`,
 * `invalid_request`, and `request_not_supported` for a request object (RFC 9101).
 */
function checkResponse(form: Form, client: Client): void {
  if (form.get('request') !== undefined) {
    throw new AuthorizationError(
      'request_not_supported',
      'Request objects are not supported: send the parameters themselves, or push them first.',
    );
  }
  const responseType = form.get('response_type');
  if (responseType === undefined) {
    throw new AuthorizationError('invalid_request', 'The response_type is missing: send code.');
  }
  if (responseType !== 'code') {
    throw new AuthorizationError(
      'unsupported_response_type',
      `The response_type "${responseType.slice(0, 50)}" is not supported: send code.`,
    );
  }
  if (!client.grantTypes.includes('authorization_code')) {
    throw new AuthorizationError(
      'unauthorized_client',
      'This client did not register for the grant type authorization_code: register it for that too.',
    );
  }
  const responseMode = form.get('response_mode') ?? 'query';
  if (responseMode !== 'query') {
    throw new AuthorizationError(
      'invalid_request',
      `The response_mode "${responseMode.slice(0, 50)}" is not supported: leave it out or send query.`,
    );
  }
}

const known = ['none', 'login', 'consent', 'select_account'];

/**
 * Whether the person must sign in again (OpenID Connect Core section 3.1.2.1). Consent is always asked for, so
 * `none` can only be answered with `interaction_required`. Any `max_age` is met by signing in again. Throws
 * `invalid_request` for other values.
 */
function checkPrompt(form: Form): boolean {
  const prompts = form.get('prompt')?.split(' ') ?? [];
  const maxAge = form.get('max_age');
  if (prompts.some((prompt) => !known.includes(prompt))) {
    throw new AuthorizationError(
      'invalid_request',
      `The prompt "${prompts.join(' ').slice(0, 100)}" does not exist: use ${known.join(', ')}.`,
    );
  }
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw new AuthorizationError('invalid_request', 'The max_age must be a number of seconds.');
  }
  if (!prompts.includes('none')) {
    return maxAge !== undefined || prompts.includes('login') || prompts.includes('select_account');
  }
  if (prompts.length > 1) {
    throw new AuthorizationError(
      'invalid_request',
      'The prompt none cannot be combined with others: send it alone.',
    );
  }
  throw new AuthorizationError(
    'interaction_required',
    'A person must agree to every request here: send it without prompt=none.',
  );
}

/** A SHA-256 in base64url, which is what S256 makes (RFC 7636 section 4.2). */
const s256Challenge = /^[\w-]{43}$/;

/**
 * The code challenge, which every client must send and only as S256 (S8). An absent method means
 * `plain` (RFC 7636 section 4.3) and is refused as that. Throws `invalid_request`.
 */
function checkPkce(form: Form): string {
  const challenge = form.get('code_challenge');
  if (challenge === undefined) {
    throw invalidChallenge('The code_challenge is missing: every client must use PKCE here.');
  }
  if (form.get('code_challenge_method') !== 'S256') {
    throw invalidChallenge(
      'The code_challenge_method must be S256: plain, the default of RFC 7636, is not accepted.',
    );
  }
  if (!s256Challenge.test(challenge)) {
    throw invalidChallenge(
      'The code_challenge must be the SHA-256 of the verifier in 43 base64url characters.',
    );
  }
  return challenge;
}

function invalidChallenge(message: string): AuthorizationError {
  return new AuthorizationError('invalid_request', message);
}

/** The key to which the code is to be bound (RFC 9449 section 10). Throws `invalid_request` for what is no thumbprint. */
function checkDpopThumbprint(form: Form): string | undefined {
  const thumbprint = form.get('dpop_jkt');
  if (thumbprint === undefined || /^[\w-]{43}$/.test(thumbprint)) return thumbprint;
  throw new AuthorizationError(
    'invalid_request',
    'The dpop_jkt must be the SHA-256 thumbprint of a key in 43 base64url characters.',
  );
}

const most = authorizationLimits.waitingRequest.value;

/** Checks that a request is small enough to wait for a person (F20). Throws `invalid_request`. */
export function checkSize(length: number): void {
  if (length <= most) return;
  throw new AuthorizationError(
    'invalid_request',
    `The request has ${length} characters, and ${most} are allowed: send fewer resources and shorter parameters.`,
  );
}
