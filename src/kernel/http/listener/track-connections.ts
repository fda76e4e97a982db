import type { Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../time/clock.ts';
import type { LastCatch } from './last-catch.ts';

/**
 * Tracks the connections of a server so that it can be drained. Closing a Node.js server ends only
 * the connections that are idle between two requests at that moment. A busy connection would stay
 * open after its answer for as long as idle ones may: here it ends with that answer. A connection
 * without any request yet, as browsers open them in advance, would stay forever: here it is ended.
 */
export function trackConnections(
  server: Server,
  {
    clock,
    lastCatch,
    admit,
  }: {
    readonly clock: Pick<Clock, 'turn'>;
    readonly lastCatch: LastCatch;
    /** Whether a connection may stay open. */
    readonly admit: (socket: Socket) => boolean;
  },
) {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  // Lists, because of how V8 stores sets: one that gets and loses an entry with each request keeps requests in memory
  // until the next full collection, and moving them there took an eighth of the time of a token.
  const answers = new Map<Socket, ServerResponse[]>();
  let draining = false;
  const endConnectionAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => void clock.turn().then(() => server.closeIdleConnections()));
  };
  server.on('connection', (socket: Socket) =>
    lastCatch('connection', socket, () => {
      if (admit(socket)) keep(sockets, socket);
      else socket.destroy();
    }),
  );
  // Over TLS, requests come on a second socket that wraps the first.
  const readyEvent = server instanceof HttpsServer ? 'secureConnection' : 'connection';
  server.on(readyEvent, (socket: Socket) => {
    lastCatch('connection', socket, () => {
      keep(silent, socket);
      answers.set(socket, []);
      socket.on('close', () => answers.delete(socket));
    });
  });
  return {
    /** Notes that a request has arrived, before it is answered. */
    begin(socket: Socket, response: ServerResponse): void {
      silent.delete(socket);
      const ofSocket = answers.get(socket) ?? [];
      ofSocket.push(response);
      response.on('close', () => ofSocket.splice(ofSocket.indexOf(response), 1));
      if (draining) endConnectionAfter(response);
    },
    /** Whether an answer on the socket has begun and not yet ended. */
    isAnswering: (socket: Socket) =>
      answers.get(socket)?.some((answer) => answer.socket === socket && answer.headersSent) ??
      false,
    /**
     * Makes the answer to a whole request the last of its connection. Returns whether one is awaited on the socket: what
     * follows such a request does not change its answer, however soon that is ready.
     */
    endAfterAnswer(socket: Socket): boolean {
      const awaited = answers
        .get(socket)
        ?.filter(({ req, headersSent }) => req.complete && !headersSent);
      awaited
        ?.at(-1)
        ?.setHeader('Connection', 'close')
        .once('close', () => socket.destroySoon());
      return awaited !== undefined && awaited.length > 0;
    },
    /** Stops accepting; resolves when the last connection is gone. */
    drain(): Promise<void> {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      [...answers.values()].flat().forEach(endConnectionAfter);
      // A turn later, so that a request the system has received already is read first.
      void clock.turn().then(() => cut(silent));
      return closed;
    },
    /** Ends every connection at once. */
    cut: () => cut(sockets),
  };
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('close', () => open.delete(socket));
}

function cut(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
