import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port, for programs that cannot choose one themselves. It lies below the ephemeral ports, which begin
 * at 32768 on Linux and at 49152 elsewhere. So the system gives it to no other program before this one
 * listens, nor while this one is down between two starts.
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
