import type { Socket } from 'node:net';

/** All 1xx but 101, which we never ask for and the HTTP client refuses. */
const informational = /^HTTP\/1\.[01] 1(?:0[02-9]|[1-9]\d)/;
const statusLength = 'HTTP/1.1 100'.length;
const firstDigit = '1'.charCodeAt(0);
const endOfHeaders = '\r\n\r\n';
/** Bytes. A longer one is passed on as it is, and the HTTP client refuses it. */
const longestInformational = 16 * 1024;

/**
 * Removes informational responses from what a socket reads. A server may send them unasked and a client
 * ignores them (RFC 9110 section 15.2), but the HTTP client closes the connection on `100 Continue`. The first
 * read after a write is the start of a response, because a request waits for the answer to the previous one.
 * With pipelining, the middle of a body is inspected too, and changed only if it looks like such a response.
 */
export function skipInformational<T extends Socket>(socket: T): T {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isStart = false;
  let held: Buffer | undefined;

  socket.write = ((...given: Parameters<typeof write>) => {
    isStart = true;
    return write(...given);
  }) as Socket['write']; // the overloads differ only in what may be left out

  socket.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isStart) return chunk;
      const rest = behindInformational(held === undefined ? chunk : Buffer.concat([held, chunk]));
      held = isUndecided(rest) ? rest : undefined;
      if (held !== undefined) continue;
      isStart = false;
      return rest;
    }
  };
  return socket;
}

/** The bytes after all complete informational responses. */
function behindInformational(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInformational(rest)) {
    const end = rest.indexOf(endOfHeaders);
    if (end < 0) break;
    rest = rest.subarray(end + endOfHeaders.length);
  }
  return rest;
}

/** Whether more bytes are needed to tell what this is. */
function isUndecided(bytes: Buffer): boolean {
  if (bytes.length < statusLength) return 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7));
  return isInformational(bytes) && bytes.length <= longestInformational;
}

function isInformational(bytes: Buffer): boolean {
  // This byte decides for nearly every answer, without decoding its beginning.
  if (bytes[statusLength - 3] !== firstDigit) return false;
  return informational.test(bytes.toString('latin1', 0, statusLength));
}
