import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { visit } from '../../tests/support/stand-in-browser.ts';
import { readingsOf } from '../server/readings-of.ts';
import { type MeasuredServer, startServer } from '../server/start-server.ts';

/** An authorization server under measurement, with one client of each kind. */
export type Contestant = MeasuredServer & {
  readonly machine: { readonly id: string; readonly secret: string };
  readonly app: string;
  readonly endpoints: Readonly<Record<EndpointName, string>>;
  /** Signs a person in, gives consent and returns the refresh token. */
  signIn(): Promise<string>;
};

type EndpointName = 'authorization_endpoint' | 'token_endpoint' | 'introspection_endpoint';

export const discoveryPath = '/.well-known/oauth-authorization-server';
const password = 'correct-horse-battery';
const redirectUri = 'http://127.0.0.1/callback';

/** Our server with its default settings: durable on disk, with its log written. */
export async function startTradewind(runtimeOptions: readonly string[] = []): Promise<Contestant> {
  const server = await startServer({
    runtimeOptions,
    environment: { TRADEWIND_SERVICES: 'authorization', TRADEWIND_OWNER_PASSWORD: password },
  });
  const register = async (metadata: object) => {
    const body = JSON.stringify({ redirect_uris: [redirectUri], ...metadata });
    const answer = await fetch(`${server.url}/register`, { method: 'POST', body });
    return (await answer.json()) as Record<'client_id' | 'client_secret', string>;
  };
  const machine = await register({
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const app = await register({
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  });
  const clients = {
    machine: { id: machine.client_id, secret: machine.client_secret },
    app: app.client_id,
  };
  return withSignIn(server, { ...clients, scope: 'swap.read' });
}

/** The peer, all in memory, with signed (`jwt`) or stored (`opaque`) access tokens. */
export async function startOidcProvider(format: 'jwt' | 'opaque'): Promise<Contestant> {
  const machine = { id: 'machine', secret: 's'.repeat(32) };
  const scope = 'openid offline_access swap.read';
  return withSignIn(await startScript('oidc-peer.js', format), { machine, app: 'app', scope });
}

/** Little more than the runtime: the least that discovery and a token can cost. It has no sign-in. */
export async function startBareServer(): Promise<Contestant> {
  const machine = { id: 'machine', secret: 's'.repeat(32) };
  return withSignIn(await startScript('bare-peer.js'), { machine, app: 'app', scope: '' });
}

async function startScript(file: string, ...words: string[]): Promise<MeasuredServer> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [script, ...words], {
    // Without our own variables, such as NODE_ENV: every server runs with its defaults.
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout, 'data');
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  return { url: JSON.parse(String(line)).url, ...readingsOf(child.pid), stop };
}

async function withSignIn(
  server: MeasuredServer,
  clients: Pick<Contestant, 'machine' | 'app'> & { scope: string },
): Promise<Contestant> {
  const { scope, machine, app } = clients;
  const document = await fetch(server.url + discoveryPath);
  const endpoints = (await document.json()) as Contestant['endpoints'];
  return {
    ...server,
    machine,
    app,
    endpoints,
    async signIn() {
      const { codeVerifier, codeChallenge, codeChallengeMethod } = createPkce();
      const request = new URLSearchParams({
        response_type: 'code',
        client_id: app,
        redirect_uri: redirectUri,
        scope,
        prompt: 'consent',
        code_challenge: codeChallenge,
        code_challenge_method: codeChallengeMethod,
      });
      const callback = await visit(`${endpoints.authorization_endpoint}?${request}`, { password });
      const code = new URL(callback).searchParams.get('code') ?? '';
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app,
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      });
      const answer = await fetch(endpoints.token_endpoint, { method: 'POST', body });
      const { refresh_token } = (await answer.json()) as { refresh_token?: string };
      if (refresh_token === undefined) throw new Error(`${server.url} gave no refresh token`);
      return refresh_token;
    },
  };
}
