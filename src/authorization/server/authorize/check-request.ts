import { AuthorizationError, type ErrorRedirect } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';
import type { Form } from '../../protocol/read-form.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { FindClient } from '../model/client.ts';
import type { BrowserAnswer, WaitingRequest } from '../model/waiting-request.ts';
import { checkAccess } from './checks/check-access.ts';
import { checkClient } from './checks/check-client.ts';
import { checkDpopThumbprint } from './checks/check-dpop-thumbprint.ts';
import { checkPkce } from './checks/check-pkce.ts';
import { checkPrompt } from './checks/check-prompt.ts';
import { checkRedirectUri } from './checks/check-redirect-uri.ts';
import type { ResourceRules } from './checks/check-resources.ts';
import { checkResponse } from './checks/check-response.ts';

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
