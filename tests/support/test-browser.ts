import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { createCookieJar } from './cookie-jar.ts';
import { issuer, ownerPassword, type TestAuthorization } from './open-test-authorization.ts';

/** A page as a browser sees it: its path, its text, and the headers of its answer. */
export type TestPage = {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

type Fields = Readonly<Record<string, string>>;

/** A browser without scripts and without windows. It keeps cookies and fills in forms, but follows no redirect by itself. */
export type TestBrowser = {
  /** Opens a page of the server. */
  open(path: string, headers?: Fields): Promise<TestPage>;
  /** Submits a form of a page with its hidden fields and the given ones. */
  submit(page: TestPage, form: string, fields?: Fields, headers?: Fields): Promise<TestPage>;
  /** Opens the page that a 303 leads to. */
  follow(page: TestPage): Promise<TestPage>;
  readonly cookies: Map<string, string>;
};

export function createTestBrowser(service: Pick<TestAuthorization, 'request'>): TestBrowser {
  const jar = createCookieJar();

  async function call(path: string, init: RequestInit = {}): Promise<TestPage> {
    const headers = new Headers(init.headers);
    if (jar.cookies.size > 0) headers.set('Cookie', jar.header());
    const response = await service.request(path, { ...init, headers });
    jar.take(response);
    const { status } = response;
    return { path, status, headers: response.headers, text: await response.text() };
  }

  return {
    cookies: jar.cookies,
    open: (path, headers = {}) => call(path, { headers }),
    submit(page, form, fields = {}, headers = {}) {
      const { action, hidden } = readForm(page, form);
      return call(action, {
        method: 'POST',
        // Browsers send this origin with forms on pages under no-referrer.
        headers: { Origin: 'null', ...headers },
        body: new URLSearchParams({ ...hidden, ...fields }),
      });
    },
    follow: (page) => call(locationOf(page)),
  };
}

/** The redirect target of an answer; a path if it is within the server. */
export function locationOf(page: TestPage): string {
  const location = page.headers.get('location');
  if (location === null) throw new Error(`no redirect but ${page.status}: ${page.text}`);
  return location.startsWith(`${issuer}/`) ? location.slice(issuer.length) : location;
}

export function readForm(page: TestPage, name: string): { action: string; hidden: Fields } {
  const form = new RegExp(
    `<form[^>]*action="([^"]+)"[^>]*data-form="${name}"[^>]*>(.*?)</form>`,
    's',
  );
  const [, action, body = ''] = form.exec(page.text) ?? [];
  if (action === undefined) throw new Error(`no form ${name} on ${page.path}: ${page.text}`);
  const inputs = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return { action, hidden: Object.fromEntries([...inputs].map(([, key, value]) => [key, value])) };
}

/** Registers a public client and returns the address to which it sends a person. */
export async function askForAccess(
  service: Pick<TestAuthorization, 'request'>,
  options: { name?: string; redirectUri?: string; scope?: string; parameters?: Fields } = {},
): Promise<{ path: string; clientId: string; codeVerifier: string; redirectUri: string }> {
  const { name = 'An agent', redirectUri = 'http://localhost:3000/callback' } = options;
  const { scope = 'swap.read subscriptions.read' } = options;
  const response = await service.request('/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      scope,
    }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const { codeVerifier, codeChallenge } = createPkce();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state: 'the state',
    scope,
    ...options.parameters,
  });
  return { path: `/authorize?${query}`, clientId, codeVerifier, redirectUri };
}

/** Opens the page that an authorization request leads to. */
export async function openInteraction(browser: TestBrowser, path: string): Promise<TestPage> {
  return browser.follow(await browser.open(path));
}

/** Signs in on a page that asks for it and returns the next page. */
export async function signIn(
  browser: TestBrowser,
  page: TestPage,
  fields: Fields = { username: 'owner', password: ownerPassword },
): Promise<TestPage> {
  return browser.follow(await browser.submit(page, 'sign-in', fields));
}
