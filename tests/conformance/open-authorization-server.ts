import { findFreePort } from '../support/find-free-port.ts';
import { visit } from '../support/stand-in-browser.ts';
import { startProduct } from './start-product.ts';

const password = 'correct-horse-battery';

/**
 * The product with a client for the suite, and a stand-in for the person who signs in: the suite prints the
 * address and waits. The client is public, since the suite sends no secret to a server that also serves
 * public clients.
 */
export async function openAuthorizationServer() {
  const { url, close } = await startProduct({ TRADEWIND_OWNER_PASSWORD: password });
  const port = String(await findFreePort());
  return {
    url,
    args: ['--client-id', await register(url), '--port', port, '--resource', `${url}/mcp`],
    async onLine(line: string) {
      if (line.startsWith(`${url}/authorize?`)) await fetch(await visit(line, { password }));
    },
    close,
  };
}

async function register(url: string): Promise<string> {
  const redirect_uris = ['http://127.0.0.1/callback'];
  const body = JSON.stringify({ redirect_uris, token_endpoint_auth_method: 'none' });
  const response = await fetch(`${url}/register`, { method: 'POST', body });
  return ((await response.json()) as { client_id: string }).client_id;
}
