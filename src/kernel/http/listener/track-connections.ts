import type { Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../time/clock.ts';

/**
 * Tracks the connections of a server so that it can be drained. Closing a Node.js server ends only
 * the connections that are idle between two requests at that moment. A busy connection would stay
 * open after its answer for as long as idle ones may: here it ends with that answer. A connection
 * without any request yet, as browsers open them in advance, would stay forever: here it is ended.
 */
export function trackConnections(server: Server, clock: Pick<Clock, 'turn'>) {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  let draining = false;
  const endConnectionAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => void clock.turn().then(() => server.closeIdleConnections()));
  };
  server.on('connection', (socket: Socket) => keep(sockets, socket));
  // Over TLS, requests come on a second socket that wraps the first.
  const readyEvent = server instanceof HttpsServer ? 'secureConnection' : 'connection';
  server.on(readyEvent, (socket: Socket) => keep(silent, socket));
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    silent.delete(socket);
    keep(responses, response);
    if (draining) endConnectionAfter(response);
  });
  return {
    /** Whether an answer on the socket has begun and not yet ended. */
    isAnswering: (socket: Socket) =>
      [...responses].some((response) => response.socket === socket && response.headersSent),
    /** Stops accepting; resolves when the last connection is gone. */
    drain(): Promise<void> {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      responses.forEach(endConnectionAfter);
      // A turn later, so that a request the system has received already is read first.
      void clock.turn().then(() => cut(silent));
      return closed;
    },
    /** Ends every connection at once. */
    cut: () => cut(sockets),
  };
}

function keep<T extends Socket | ServerResponse>(open: Set<T>, one: T): void {
  open.add(one);
  // The event comes only once; `once` would allocate a wrapper for each request.
  one.on('close', () => open.delete(one));
}

function cut(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
