import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook in this process that passes the handshake, accepts every event and reports its id. */
export async function openReceiver(onEvent: (id: string) => void) {
  const server = createServer((request, response) => {
    request.resume();
    const asking = request.headers['webhook-request-origin'];
    if (request.method === 'OPTIONS' && asking !== undefined) {
      response.writeHead(200, { 'webhook-allowed-origin': asking }).end();
      return;
    }
    onEvent(String(request.headers['ce-id']));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // TCP has such an address
  return {
    uri: `http://127.0.0.1:${port}/hook`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
