/**
 * An MCP client for any server, whatever authorization that requires. In this repository, where the package is not built, run:
 * node --conditions=tradewind-source examples/mcp-client.ts <url>
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAuthorizedFetch } from 'tradewind/client';

const serverUrl = process.argv[2] ?? 'http://localhost:8787/mcp';
const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
  fetch: await createAuthorizedFetch({ serverUrl, clientName: 'Example' }),
});
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(transport, { timeout: 300_000 }); // time for a person to sign in
for (const { name, description } of (await client.listTools()).tools) {
  console.log(`${name}: ${description}`);
}
await client.close();
