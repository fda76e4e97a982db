import { type Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Network } from '../../model/network.ts';
import type { FaultyPart, ReportFault } from '../../telemetry/metrics.ts';
import type { Clock } from '../../wait/clock.ts';
import { createShares } from '../../wait/shares.ts';
import { peerOf, rateKeyOf } from '../caller.ts';
import { edgeLimits } from '../limits.ts';

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
  const answers = createAwaitedAnswers();
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
      answers.expect(socket);
    });
  });
  // Told of sockets on which nothing has moved for the time that an answer may wait for its caller (F63).
  server.on('timeout', (socket: Socket) => {
    const isWorkedOn = answers.on(socket).length > 0 && socket.writableLength === 0;
    if (!isWorkedOn) socket.destroy();
  });
  const { isReady, isAnswering, endAfterAnswer } = answers;
  return {
    isReady,
    isAnswering,
    endAfterAnswer,
    /** Notes that a request has arrived, and calls `begin` once those before it on its connection are answered. */
    answerInTurn(socket: Socket, response: ServerResponse, begin: () => void): void {
      silent.delete(socket);
      const isAwaited = answers.add(socket, { response, begin });
      if (isAwaited && draining) endConnectionAfter(response);
    },
    /** Stops accepting; resolves when the last connection is gone. */
    drain(): Promise<void> {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { response } of answers.all()) endConnectionAfter(response);
      // A turn later, so that a request the system has received already is read first.
      void clock.turn().then(() => cut(silent));
      return closed;
    },
    /** Ends every connection at once. */
    cut: () => cut(sockets),
  };
}

/** The answers that are awaited on each connection, of which the first is worked on. */
function createAwaitedAnswers() {
  // Lists, because of how V8 stores sets: one that gets and loses an entry with each request keeps requests in memory
  // until the next full collection, and moving them there took an eighth of the time of a token.
  const answers = new Map<Socket, Awaited[]>();
  const on = (socket: Socket) => answers.get(socket) ?? [];
  /** Makes an answer the last of its connection. */
  const endWith = (socket: Socket, { response }: Awaited) =>
    response.setHeader('Connection', 'close').once('close', () => socket.destroySoon());
  return {
    on,
    all: () => [...answers.values()].flat(),
    /** Requests can come on the socket from now on. */
    expect(socket: Socket): void {
      answers.set(socket, []);
      socket.on('close', () => answers.delete(socket));
    },
    /**
     * Begins an answer once those before it have ended. Returns whether it will: whoever sends more requests than may wait
     * gets the answers to these, and nothing else (F62).
     */
    add(socket: Socket, awaited: Awaited): boolean {
      const ofSocket = on(socket);
      const last = ofSocket.at(-1);
      if (last !== undefined && ofSocket.length >= edgeLimits.pipelined.value) {
        if (!last.response.hasHeader('Connection')) endWith(socket, last);
        return false;
      }
      ofSocket.push(awaited);
      awaited.response.on('close', () => {
        ofSocket.splice(ofSocket.indexOf(awaited), 1);
        if (!socket.destroyed) ofSocket[0]?.begin();
      });
      if (last === undefined) awaited.begin();
      return true;
    },
    /** Whether requests can come on the socket: with TLS, once the handshake has ended. */
    isReady: (socket: Socket) => answers.has(socket),
    /** Whether an answer on the socket has begun and not yet ended. */
    isAnswering: (socket: Socket) =>
      on(socket).some(({ response }) => response.socket === socket && response.headersSent),
    /**
     * Makes the answer to a whole request the last of its connection. Returns whether one is awaited on the socket: what
     * follows such a request does not change its answer, however soon that is ready.
     */
    endAfterAnswer(socket: Socket): boolean {
      const awaited = on(socket).findLast(
        ({ response }) => response.req.complete && !response.headersSent,
      );
      if (awaited !== undefined) endWith(socket, awaited);
      return awaited !== undefined;
    },
  };
}

export type Connections = ReturnType<typeof trackConnections>;

/** An answer that has not ended, and what begins it. */
type Awaited = { readonly response: ServerResponse; readonly begin: () => void };

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('close', () => open.delete(socket));
}

function cut(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

/**
 * Decides which connections may stay open: a share for each address, and a whole for all (F40). Declared proxies bring many callers,
 * so they count towards the whole alone.
 */
export function boundConnections(trustedProxies: readonly Network[]): (socket: Socket) => boolean {
  const [each, all] = [edgeLimits.connectionsOfCaller.value, edgeLimits.connections.value];
  const callers = createShares({ each, all });
  const everybody = createShares({ each: all, all });
  return (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return false; // it is gone already
    const { address, isProxy } = peerOf({ remoteAddress, encrypted: false }, trustedProxies);
    const place = everybody.take('', 1);
    if (typeof place === 'string') return false;
    const share = isProxy || address === undefined ? () => {} : callers.take(rateKeyOf(address), 1);
    if (typeof share === 'string') {
      place();
      return false;
    }
    socket.once('close', place).once('close', share);
    return true;
  };
}

/** Runs what a connection asks for, and releases the connection if that fails. */
export type LastCatch = (
  part: FaultyPart,
  way: ServerResponse | Duplex,
  work: () => unknown,
) => void;

/**
 * The last catch around what runs for a connection (N15): an error that nothing handled is reported and answered with a bare
 * 500, or the connection is closed if an answer has begun or none is possible.
 */
export function createLastCatch(report: ReportFault = () => {}): LastCatch {
  return (part, way, work) => {
    const fail = (error: unknown) => {
      // First, so that a connection is released even where the log cannot be written.
      release(way);
      report(error, part);
    };
    try {
      const working = work();
      if (working instanceof Promise) working.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function release(way: ServerResponse | Duplex): void {
  if (!(way instanceof ServerResponse) || way.headersSent) return void way.destroy();
  way.writeHead(500, { Connection: 'close', 'Content-Length': '0' }).end();
}
