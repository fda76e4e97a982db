import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** An MCP server whose authorization server is a stranger at another origin: `oidc-provider`. */
export type OidcWorld = { readonly serverUrl: string; readonly issuer: string };

const scope = 'quotes:read';

/** Starts both servers on free ports; they end with the test. */
export async function startOidcWorld(): Promise<OidcWorld> {
  let answer: RequestListener = () => {};
  const issuer = await listen((request, response) => answer(request, response));
  const origin = await listen(serveResource);
  const serverUrl = `${origin}/mcp`;
  const provider = new Provider(issuer, {
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    scopes: ['openid', 'offline_access', scope],
    // Longer than a test. They are set because the package warns about missing ones.
    ttl: {
      AccessToken: 600,
      RefreshToken: 86_400,
      Session: 3_600,
      Interaction: 3_600,
      Grant: 86_400,
    },
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope,
          audience: serverUrl,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
        }),
      },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id }),
    }),
  });
  answer = provider.callback();
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return { serverUrl, issuer };

  async function serveResource(...[request, response]: Parameters<RequestListener>) {
    const metadataPath = '/.well-known/oauth-protected-resource/mcp';
    if (request.url === metadataPath) {
      const document = {
        resource: serverUrl,
        authorization_servers: [issuer],
        scopes_supported: [scope],
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
      return;
    }
    const token = /^Bearer (.+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const verified = await jwtVerify(token, keys, { issuer, audience: serverUrl }).catch(
      () => undefined,
    );
    if (verified !== undefined) response.end(JSON.stringify(verified.payload));
    else {
      const challenge = `Bearer resource_metadata="${origin}${metadataPath}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
  }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A person at the development pages: signs in, consents, and follows the redirect. */
export async function agreeAtOidc(start: string): Promise<void> {
  const cookies = new Map<string, string>();
  let [url, body]: [string, URLSearchParams | undefined] = [start, undefined];
  for (let pages = 0; pages < 12; pages += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (location === null && prompt === undefined) return;
    url = location === null ? url : new URL(location, url).href;
    body = (prompt && new URLSearchParams({ prompt, login: 'ada', password: 'any' })) || undefined;
  }
}
