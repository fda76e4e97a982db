import { expect } from 'vitest';
import {
  formText,
  issuer,
  ownerPassword,
  type TestAuthorization,
} from './open-test-authorization.ts';
import {
  askForAccess,
  createTestBrowser,
  openInteraction,
  signIn,
  type TestBrowser,
} from './test-browser.ts';

export type GrantedToken = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly clientId: string;
};

/** A person signs in and allows a client what it asks for; the client gets its tokens. */
export async function grantToken(
  service: TestAuthorization,
  options: {
    readonly scope?: string;
    readonly username?: string;
    readonly password?: string;
    readonly browser?: TestBrowser;
    readonly parameters?: Record<string, string>;
  } = {},
): Promise<GrantedToken> {
  const { scope = 'swap.read', username = 'owner', password = ownerPassword } = options;
  const { browser = createTestBrowser(service), parameters = {} } = options;
  const asked = await askForAccess(service, { scope, parameters });
  let page = await openInteraction(browser, asked.path);
  if (page.text.includes('data-form="sign-in"')) {
    page = await signIn(browser, page, { username, password });
  }
  const answer = await browser.submit(page, 'consent', { decision: 'allow' });
  const code = new URL(answer.headers.get('location') ?? issuer).searchParams.get('code') ?? '';
  const form = formText({
    grant_type: 'authorization_code',
    client_id: asked.clientId,
    code,
    redirect_uri: asked.redirectUri,
    code_verifier: asked.codeVerifier,
  });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await service.request('/token', { method: 'POST', headers, body: form });
  expect(response.status, answer.text).toBe(200);
  return { ...((await response.json()) as GrantedToken), clientId: asked.clientId };
}

/** Untyped, since each test reads the members that it expects. */
type Body = ReturnType<typeof JSON.parse>;
type Answer = { status: number; headers: Headers; body: Body };

/** Calls the management interface with a token. */
export function manageWith(service: TestAuthorization, token: string) {
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await service.request(path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Body,
    };
  };
}
