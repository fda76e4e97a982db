import { connect, type Socket } from 'node:net';

/**
 * Writes text to a socket, a character a byte, and returns all that comes back until the server closes. Closes itself when
 * nothing has come for `patience` milliseconds.
 */
export function converse(
  open: () => Socket,
  { text, cutAt }: { readonly text: string; readonly cutAt?: number | undefined },
  patience: number,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    const chunks: Buffer[] = [];
    socket.setTimeout(patience, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.setNoDelay(true);
    if (cutAt === undefined) return void socket.write(text, 'latin1');
    socket.write(text.slice(0, cutAt), 'latin1', () => socket.write(text.slice(cutAt), 'latin1'));
  });
}

/** Opens sockets to a port of this machine. */
export const plainSockets = (port: number) => () => connect(port, '127.0.0.1');

/** An answer on the wire, without what may differ from one to the next. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
};

/** Reads the answers of a conversation. */
export function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return [...answers, { status: 0, headers: [], body: rest }];
    const [first = '', ...headers] = rest.slice(0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    const named = headers.map(
      (line) =>
        [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 2),
        ] as const,
    );
    const length = named.find(([name]) => name === 'content-length')?.[1];
    const isChunked = named.some(([name]) => name === 'transfer-encoding');
    const after = rest.slice(end + 4);
    const size = isChunked
      ? after.indexOf('0\r\n\r\n') + 5
      : status === 100 || status === 204 || status === 304 || after.startsWith('HTTP/1.1 ')
        ? 0
        : Number(length ?? after.length);
    answers.push({
      status,
      headers: named
        .filter(([name]) => !ofTheConnection.has(name))
        .map(([name, value]) => `${name}: ${value}`)
        .toSorted(),
      body: isChunked ? readChunks(after.slice(0, size)) : after.slice(0, size),
    });
    rest = after.slice(size);
  }
  return answers;
}

/** Hop-by-hop headers and the like, which say nothing about the answer. */
const ofTheConnection = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]);

function readChunks(text: string): string {
  const at = text.indexOf('\r\n');
  const size = Number.parseInt(text.slice(0, at), 16);
  return size > 0 ? text.slice(at + 2, at + 2 + size) + readChunks(text.slice(at + 4 + size)) : '';
}
