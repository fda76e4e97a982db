import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../model/domain-error.ts';
import type { Answer } from '../answer.ts';
import type { Connection } from '../request.ts';
import type { Connections, LastCatch } from './connections.ts';

/** Writes the refusal of input that never became a request. */
export type RefuseUnread = (error: UnreadError, connection: Connection | undefined) => Answer;

type UnreadOptions = {
  readonly refuse: RefuseUnread;
  readonly connectionOf: (socket: Socket) => Connection;
  readonly connections: Pick<Connections, 'isReady' | 'isAnswering' | 'endAfterAnswer'>;
  readonly lastCatch: LastCatch;
  /** The limits that refusals tell to callers. */
  readonly limits: {
    readonly headerBytes: number;
    readonly headersMs: number;
    readonly requestMs: number;
  };
};

/**
 * Answers input that Node.js would otherwise answer with a bare status or not at all: text that is
 * not HTTP, requests that arrive too slowly, headers that are too large, and CONNECT. Then it
 * closes the connection, since nobody knows where the next request on it would begin.
 */
export function answerUnread(server: Server, options: UnreadOptions): void {
  const { refuse, connectionOf, connections, lastCatch, limits } = options;
  // The servers of Node.js emit their own sockets; the types declare a wider type.
  server.on('clientError', (error, socket) =>
    lastCatch('unread', socket, () => end(socket as Socket, explain(error, limits))),
  );
  server.on('connect', ({ url = '' }, socket) => {
    // Node.js detaches the socket here: without a listener, an error on it would end the process.
    socket.on('error', () => {});
    lastCatch('unread', socket, () => end(socket as Socket, notAProxy(url)));
  });

  function end(socket: Socket, error: UnreadError): void {
    // Nothing can be written before the handshake has ended, and a wait for it would keep the connection (F61).
    if (!connections.isReady(socket)) return void socket.destroy();
    // A second answer would be read as the rest of the one that is being sent.
    if (socket.writable && !connections.isAnswering(socket)) {
      if (connections.endAfterAnswer(socket)) return;
      socket.write(writeMessage(refuse(error, connectionOf(socket))));
    }
    socket.destroySoon();
  }
}

/** The headers of an answer that closes its connection. */
export function lastHeaders({ headers, body }: Answer): Record<string, string> {
  return { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
}

function writeMessage(answer: Answer): string {
  const { status, body } = answer;
  const headers = Object.entries(lastHeaders(answer)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', body].join('\r\n');
}

function explain(
  error: Error & { code?: string; reason?: string },
  { headerBytes, headersMs, requestMs }: UnreadOptions['limits'],
): UnreadError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new UnreadError(
        'REQUEST_TIMEOUT',
        `The request did not arrive in time: send its headers within ${headersMs / 1_000} seconds and its body within ${requestMs / 1_000} more.`,
      );
    case 'HPE_HEADER_OVERFLOW':
      return new UnreadError(
        'HEADERS_TOO_LARGE',
        `The address and the headers are larger than the ${headerBytes} bytes this server reads: send fewer or shorter ones.`,
      );
    default:
      // The reason is one of the parser's own texts and reveals nothing of what was sent.
      return new UnreadError(
        'MALFORMED_REQUEST',
        `This is not an HTTP/1.1 request (${error.reason ?? 'unreadable'}): write it as RFC 9112 says, and send it over TLS if the address begins with https.`,
        { cause: error },
      );
  }
}

function notAProxy(target: string): UnreadError {
  return new UnreadError(
    'NOT_A_PROXY',
    `This server opens no tunnel to ${target.slice(0, 255)}: send requests for its own paths.`,
  );
}

/** The reasons why input never became a request, each with its HTTP status. */
export const unreadErrorStatus = {
  MALFORMED_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  // RFC 9110 section 9.3.6: a server that is not a proxy does not implement CONNECT.
  NOT_A_PROXY: 501,
  // RFC 9112 section 6.1.
  UNKNOWN_TRANSFER_CODING: 501,
} as const satisfies Record<string, number>;

export type UnreadErrorCode = keyof typeof unreadErrorStatus;

/** Something that never became a request: its path is unknown, so no service can write the refusal. */
export class UnreadError extends DomainError<UnreadErrorCode> {}
