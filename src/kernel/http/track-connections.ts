import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows the connections of a server so that it can be drained. Closing a Node.js server ends the
 * connections that are idle at that moment; one that is busy would stay open after its answer, for
 * as long as idle connections may. Here each is ended with the answer it is waiting for.
 */
export function trackConnections(server: Server) {
  const sockets = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  let draining = false;
  const endConnectionAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => setImmediate(() => server.closeIdleConnections()));
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
    if (draining) endConnectionAfter(response);
  });
  return {
    /** Stops accepting; resolves when the last connection is gone. */
    start(): Promise<void> {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      responses.forEach(endConnectionAfter);
      return closed;
    },
    /** Ends every connection at once. */
    cut(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
