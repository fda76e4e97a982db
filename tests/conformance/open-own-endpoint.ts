import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issueToken } from '../support/issue-token.ts';
import { startProduct } from './start-product.ts';

/**
 * The product itself, behind a proxy that adds a token to every request, since the suite sends none.
 * Returns the address of that proxy.
 */
export async function openOwnEndpoint() {
  const product = await startProduct();
  const door = openDoor(new URL(product.url), await issueToken(product.url, 'swap.read'));
  await once(door, 'listening');
  return {
    url: `http://localhost:${(door.address() as AddressInfo).port}/mcp`,
    async close() {
      door.closeAllConnections();
      door.close();
      await product.close();
    },
  };
}

function openDoor(target: URL, token: string) {
  return createServer((asked, answer) => {
    // Headers that name the proxy get the host of the server; other hosts stay as they are.
    const own = asked.socket.localPort;
    const toTarget = (text: string | undefined) =>
      text?.replace(new RegExp(`(localhost|127\\.0\\.0\\.1):${own}$`), target.host);
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const { host, origin } = asked.headers;
    const named = {
      host: toTarget(host),
      ...(origin === undefined ? {} : { origin: toTarget(origin) }),
    };
    const forwarded = send(
      {
        host: '127.0.0.1',
        port: target.port,
        path: asked.url,
        method: asked.method,
        headers: { ...headers, ...named },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    asked.pipe(forwarded);
  }).listen(0, '127.0.0.1');
}
