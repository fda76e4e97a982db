import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../messages/answer.ts';
import type { Connection } from '../messages/connection.ts';
import { UnreadError } from './unread-error.ts';

/** Writes the refusal of what never became a request. */
export type RefuseUnread = (error: UnreadError, connection: Connection | undefined) => Answer;

type UnreadOptions = {
  readonly refuse: RefuseUnread;
  readonly connectionOf: (socket: Socket) => Connection;
  /** Whether the beginning of an answer is on its way: a second one would be taken for its rest. */
  readonly isAnswering: (socket: Socket) => boolean;
  /** What callers have to stay within, as refusals tell them. */
  readonly limits: {
    readonly headerBytes: number;
    readonly headersMs: number;
    readonly requestMs: number;
  };
};

/**
 * Answers what Node.js would otherwise answer bare or not at all: what is no HTTP, what comes too
 * slowly, headers that are too large, and CONNECT. The connection ends with it, since nobody knows
 * where on it the next request would begin.
 */
export function answerUnread(server: Server, options: UnreadOptions): void {
  const { refuse, connectionOf, isAnswering, limits } = options;
  // The servers of Node.js emit their own sockets, which the types call by a wider name.
  server.on('clientError', (error, socket) => end(socket as Socket, explain(error, limits)));
  server.on('connect', ({ url = '' }, socket) => {
    // Node.js lets go of the socket here: without a listener its failure would end the process.
    socket.on('error', () => {});
    end(socket as Socket, notAProxy(url));
  });

  function end(socket: Socket, error: UnreadError): void {
    if (socket.writable && !isAnswering(socket)) {
      socket.write(writeMessage(refuse(error, connectionOf(socket))));
    }
    socket.destroySoon();
  }
}

/** The headers by which an answer ends its connection. */
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
        `The request did not come in time: send its headers within ${headersMs / 1_000} seconds and its body within ${requestMs / 1_000} more.`,
      );
    case 'HPE_HEADER_OVERFLOW':
      return new UnreadError(
        'HEADERS_TOO_LARGE',
        `The address and the headers are larger than the ${headerBytes} bytes this server reads: send fewer or shorter ones.`,
      );
    default:
      // The reason is one of the parser's own texts, and tells nothing of what was sent.
      return new UnreadError(
        'MALFORMED_REQUEST',
        `This is no HTTP/1.1 request (${error.reason ?? 'unreadable'}): write it as RFC 9112 says, and over TLS where the address begins with https.`,
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
