/**
 * An MCP client for any server, whatever sign-in it asks for. In this repository, where the package is not built:
 * node --conditions=tradewind-source examples/mcp-client.ts <url>
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAuthorizedFetch } from 'tradewind/client';

const serverUrl = process.argv[2] ?? 'http://localhost:8787/mcp';
const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
  fetch: await createAuthorizedFetch({ serverUrl, clientName: 'Example' }),
});
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(transport, { timeout: 300_000 }); // as long as a person may take to sign in
for (const { name, description } of (await client.listTools()).tools) {
  console.log(`${name}: ${description}`);
}
await client.close();
