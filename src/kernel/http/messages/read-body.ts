import type { IncomingMessage } from 'node:http';

/** Decodes as the web does, which drops a byte order mark. */
const utf8 = new TextDecoder();

/** Reads a body as UTF-8. Does not limit its size. Rejects when the caller hangs up before its end. */
export function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(utf8.decode(body));
    });
    incoming.once('error', reject);
  });
}
