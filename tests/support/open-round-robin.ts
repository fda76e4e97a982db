import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * A load balancer on a port, which forwards each request to the next target, streams included. `turns` counts the
 * requests to each. It ends with the test.
 */
export async function openRoundRobin(port: number, targets: readonly string[]) {
  const turns = targets.map(() => 0);
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const index = next++ % targets.length;
    turns[index] = (turns[index] ?? 0) + 1;
    const { method, headers, url = '/' } = incoming;
    const forwarded = ask(new URL(url, targets[index]), { method, headers, agent: false });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { turns };
}
