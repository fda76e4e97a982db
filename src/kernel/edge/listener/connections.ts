import { type Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FaultyPart, ReportFault } from '../../telemetry/metrics.ts';
import type { Clock } from '../../wait/clock.ts';
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
    idleMs,
  }: IdleRule & {
    readonly lastCatch: LastCatch;
    /** Whether a connection may stay open. To make room it may close others that can be spared. */
    readonly admit: Admit;
  },
) {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const answers = createAwaitedAnswers({ clock, idleMs });
  const carriers = pairSockets();
  let draining = false;
  const endConnectionAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => void clock.turn().then(() => server.closeIdleConnections()));
  };
  server.on('connection', (socket: Socket) =>
    lastCatch('connection', socket, () => {
      carriers.add(socket);
      if (admit(socket, (other) => answers.spare(carriers.requestsOf(other))))
        keep(sockets, socket);
      else socket.destroy();
    }),
  );
  // Over TLS, requests come on a second socket that wraps the first.
  const readyEvent = server instanceof HttpsServer ? 'secureConnection' : 'connection';
  server.on(readyEvent, (socket: Socket) => {
    lastCatch('connection', socket, () => {
      carriers.pair(socket);
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
    /**
     * Notes that a request has arrived, and begins its answer once those before it on its connection have ended.
     */
    answerInTurn(socket: Socket, awaited: Awaited): void {
      silent.delete(socket);
      const isAwaited = answers.add(socket, awaited);
      if (isAwaited && draining) endConnectionAfter(awaited.response);
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

type IdleRule = {
  readonly clock: Pick<Clock, 'turn' | 'sleep' | 'elapsed'>;
  /** How long a connection may go without a request. */
  readonly idleMs: number;
};

/** How dispensable a connection is. One that is worked on cannot be spared. */
export type Spare = 'idle' | 'receiving' | undefined;

/** Admits a connection, perhaps in the place of another. */
export type Admit = (socket: Socket, spareOf: (socket: Socket) => Spare) => boolean;

/**
 * The answers that are awaited on each connection, of which the first is worked on. Closes connections that have gone without a
 * request for longer than they may: Node.js begins that time anew with every byte between two requests (F77).
 */
function createAwaitedAnswers(rule: IdleRule) {
  const { clock } = rule;
  const connections = new Map<Socket, Expecting>();
  const on = (socket: Socket) => connections.get(socket)?.awaited ?? [];
  let looking = new AbortController();

  /** Makes an answer the last of its connection. */
  const endWith = (socket: Socket, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection !== undefined) connection.isOver = true;
    response.setHeader('Connection', 'close').once('close', () => socket.destroySoon());
  };
  return {
    on,
    all: () => [...connections.values()].flatMap(({ awaited }) => awaited),
    /** Requests can come on the socket from now on. */
    expect(socket: Socket): void {
      connections.set(socket, { awaited: [], idleSince: clock.elapsed(), isOver: false });
      if (connections.size === 1) {
        looking = new AbortController();
        void closeIdle(connections, rule, looking.signal);
      }
      socket.on('close', () => {
        connections.delete(socket);
        if (connections.size === 0) looking.abort();
      });
    },
    /**
     * Begins an answer once those before it have ended. Returns whether it will: whoever sends more requests than may wait
     * gets the answers to these, and nothing else (F62).
     */
    add(socket: Socket, awaited: Awaited): boolean {
      const connection = connections.get(socket);
      if (connection === undefined || connection.isOver) return false;
      const ofSocket = connection.awaited;
      const last = ofSocket.at(-1);
      if (last !== undefined && ofSocket.length >= edgeLimits.pipelined.value) {
        endWith(socket, last.response);
        return false;
      }
      ofSocket.push(awaited);
      if (awaited.isLast) endWith(socket, awaited.response);
      awaited.response.on('close', () => {
        ofSocket.splice(ofSocket.indexOf(awaited), 1);
        if (ofSocket.length === 0) connection.idleSince = clock.elapsed();
        if (!socket.destroyed) ofSocket[0]?.begin();
      });
      if (last === undefined) awaited.begin();
      return true;
    },
    /** Whether requests can come on the socket: with TLS, once the handshake has ended. */
    isReady: (socket: Socket) => connections.has(socket),
    /** Whether an answer on the socket has begun and not yet ended. */
    isAnswering: (socket: Socket) =>
      on(socket).some(({ response }) => response.socket === socket && response.headersSent),
    spare: (socket: Socket | undefined) => spareOf(socket === undefined ? [] : on(socket)),
    /**
     * Makes the answer to a whole request the last of its connection. Returns whether one is awaited on the socket: what
     * follows such a request does not change its answer, however soon that is ready.
     */
    endAfterAnswer(socket: Socket): boolean {
      const awaited = on(socket).findLast(
        ({ response }) => response.req.complete && !response.headersSent,
      );
      if (awaited !== undefined) endWith(socket, awaited.response);
      return awaited !== undefined;
    },
  };
}

/** A socket without a request is idle; one whose request has not come to its end is receiving. */
function spareOf(awaited: readonly Awaited[]): Spare {
  if (awaited.length === 0) return 'idle';
  const isReceiving = awaited.every(
    ({ response }) => !response.req.complete && !response.headersSent,
  );
  return isReceiving ? 'receiving' : undefined;
}

/**
 * Closes connections that have gone without a request for longer than they may, until the signal fires: one look in that time
 * finds each within twice as long, and wakes nobody else.
 */
async function closeIdle(
  connections: ReadonlyMap<Socket, Expecting>,
  { clock, idleMs }: IdleRule,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(idleMs, signal);
    if (signal.aborted) return;
    const oldest = clock.elapsed() - idleMs;
    for (const [socket, { awaited, idleSince }] of connections) {
      if (awaited.length === 0 && idleSince < oldest) socket.destroy();
    }
  }
}

/** What a connection is about. */
type Expecting = {
  // A list, because of how V8 stores sets: one that gets and loses an entry with each request keeps requests in memory
  // until the next full collection, and moving them there took an eighth of the time of a token.
  readonly awaited: Awaited[];
  /** When the last answer ended. */
  idleSince: number;
  /** Nothing that comes on it is a request any more. */
  isOver: boolean;
};

/** Knows on which socket the requests of a connection come: over TLS it is another than the one that was accepted. */
function pairSockets() {
  const accepted = new Map<string, Socket>();
  const secured = new WeakMap<Socket, Socket>();
  const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
    `${remoteAddress} ${remotePort} ${localAddress}`;
  return {
    add(socket: Socket): void {
      const name = nameOf(socket);
      accepted.set(name, socket);
      socket.on('close', () => {
        if (accepted.get(name) === socket) accepted.delete(name);
      });
    },
    pair(socket: Socket): void {
      const carrier = accepted.get(nameOf(socket));
      if (carrier !== undefined) secured.set(carrier, socket);
    },
    requestsOf: (socket: Socket) => secured.get(socket),
  };
}

export type Connections = ReturnType<typeof trackConnections>;

/** An answer that has not ended, and what begins it. */
type Awaited = {
  readonly response: ServerResponse;
  readonly begin: () => void;
  /** Its answer closes the connection, and nothing that follows on it is a request. */
  readonly isLast: boolean;
};

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('close', () => open.delete(socket));
}

function cut(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
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
