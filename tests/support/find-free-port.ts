import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody uses, for programs that must be told one. It lies below those that systems give
 * out by themselves, from 32768 on Linux and from 49152 elsewhere: so nobody is given it before the
 * program has taken it, nor while it is down between two starts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(16_384, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
