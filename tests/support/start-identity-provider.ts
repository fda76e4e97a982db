import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';
import { issuer as ownIssuer } from './open-test-authorization.ts';

/** A request to the identity provider and its answer. */
type Exchange = { readonly path: string; readonly sent: string; readonly answered: string };

/** A real OpenID provider (`oidc-provider`) to sign in with, which can be made to fail. */
export type IdentityProviderServer = {
  readonly issuer: string;
  /** The settings with which our server signs people in there. */
  readonly environment: Record<string, string>;
  /** All exchanges, in order. */
  readonly exchanges: readonly Exchange[];
  /** Every token that it has ever issued. */
  tokens(): string[];
  /** From now on requests to these paths fail: they get no answer, this status, or this JSON. */
  fail(paths: RegExp, how: 'hang' | number | object): void;
  recover(): void;
  /** Revokes the newest access token, as its person would in their settings there. */
  revoke(): Promise<void>;
  /** Takes a browser through its pages and returns the address to which they redirect in the end. */
  visit(url: string, as: { login: string } | 'deny'): Promise<URL>;
};

const clientId = 'tradewind';
const clientSecret = 'the-secret-of-our-server';

export async function startIdentityProvider(
  options: { hasIntrospection?: boolean; scopes?: string } = {},
): Promise<IdentityProviderServer> {
  const { hasIntrospection = true, scopes = 'openid profile offline_access' } = options;
  const exchanges: Exchange[] = [];
  let failure: { paths: RegExp; how: 'hang' | number | object } | undefined;
  let answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (failure?.paths.test(path)) {
      if (failure.how === 'hang') return;
      if (typeof failure.how === 'object') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(failure.how));
        return;
      }
      response.writeHead(failure.how, { 'content-type': 'text/plain' }).end('out of order');
      return;
    }
    recordExchange(path, request, response, exchanges);
    answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The package warns at length that it is not set up for production.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${ownIssuer}/authorize/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    // In seconds of the real clock.
    ttl: {
      AccessToken: 300,
      RefreshToken: 86_400,
      Session: 3_600,
      Interaction: 3_600,
      Grant: 86_400,
      IdToken: 3_600,
    },
    scopes: ['openid', 'offline_access', 'read'],
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub'], profile: ['name'] },
    features: {
      introspection: { enabled: hasIntrospection },
      revocation: { enabled: true },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: `${id} of Example` }),
    }),
  });
  answer = provider.callback();

  const given = (name: string) =>
    exchanges.flatMap(({ answered }) => {
      const value = answered.startsWith('{') ? JSON.parse(answered)[name] : undefined;
      return typeof value === 'string' ? [value] : [];
    });

  return {
    issuer,
    exchanges,
    environment: {
      TRADEWIND_IDP_ISSUER: issuer,
      TRADEWIND_IDP_CLIENT_ID: clientId,
      TRADEWIND_IDP_CLIENT_SECRET: clientSecret,
      TRADEWIND_IDP_SCOPES: scopes,
      TRADEWIND_IDP_NAME: 'Example Login',
    },
    tokens: () => ['access_token', 'refresh_token', 'id_token'].flatMap(given),
    fail(paths, how) {
      failure = { paths, how };
    },
    recover() {
      failure = undefined;
    },
    async revoke() {
      const response = await fetch(`${issuer}/token/revocation`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ token: String(given('access_token').at(-1)) }),
      });
      if (!response.ok) throw new Error(`not revoked: ${await response.text()}`);
    },
    visit: (url, as) => visitPages(url, as),
  };
}

function recordExchange(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  exchanges: Exchange[],
): void {
  const [sent, answered]: [Buffer[], Buffer[]] = [[], []];
  request.on('data', (chunk) => sent.push(chunk));
  const { end } = response;
  response.end = ((chunk: unknown, ...rest: unknown[]) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) answered.push(Buffer.from(chunk));
    exchanges.push({
      path,
      sent: String(Buffer.concat(sent)),
      answered: String(Buffer.concat(answered)),
    });
    return Reflect.apply(end, response, [chunk, ...rest]);
  }) as typeof end;
}

/** A browser at the identity provider: it signs in and consents on the development pages, or denies. */
async function visitPages(start: string, as: { login: string } | 'deny'): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(start) };
  for (let pages = 0; pages < 12; pages += 1) {
    const { url, body } = next;
    if (url.href.startsWith(ownIssuer)) return url;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, url) };
      continue;
    }
    const page = await response.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (prompt === undefined) throw new Error(`no page to go on from: ${response.status} ${page}`);
    next =
      as === 'deny'
        ? { url: new URL(`${url.pathname}/abort`, url) }
        : { url, body: new URLSearchParams({ prompt, login: as.login, password: 'any' }) };
  }
  throw new Error('the identity provider leads nowhere');
}
