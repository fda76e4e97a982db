import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  exchangeIdentity,
} from '../../src/authorization/client/index.ts';

// The client that the conformance runner starts, one process for each scenario, with the address of the server
// as its last argument. It is a stranger's MCP client with our fetch.
const serverUrl = process.argv.at(-1) ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const given: Record<string, string> = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const fetchAuthorized = await createAuthorizedFetch({
  serverUrl,
  vault: new Map(),
  openBrowser,
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...credentials(),
});
const isStateless = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28';
const client = new Client(
  { name: 'tradewind', version: '0.1.0' },
  isStateless ? { versionNegotiation: { mode: 'auto' } } : {},
);
await client.connect(
  new StreamableHTTPClientTransport(new URL(serverUrl), { fetch: fetchAuthorized }),
);
const { tools } = await client.listTools();
for (const { name } of tools) await client.callTool({ name, arguments: {} });
await client.close();

function credentials(): Partial<AuthorizedFetchOptions> {
  const { client_id: clientId, client_secret: clientSecret } = given;
  if (scenario === 'auth/client-credentials-jwt') {
    const { private_key_pem: privateKey = '', signing_algorithm: algorithm = '' } = given;
    return { clientId, clientKey: { privateKey, algorithm } };
  }
  if (scenario === 'auth/wif-jwt-bearer') return { clientId, assertion: given.valid_jwt ?? '' };
  if (scenario === 'auth/enterprise-managed-authorization') {
    const assertion = exchangeIdentity({
      tokenEndpoint: given.idp_token_endpoint ?? '',
      clientId: given.idp_client_id ?? '',
      idToken: given.idp_id_token ?? '',
    });
    return { clientId, clientSecret, assertion };
  }
  return { clientId, clientSecret };
}

/** A person who allows everything at once: the runner's server answers with the redirect. */
async function openBrowser(url: string): Promise<void> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  await fetch(headers.get('location') ?? '');
}
