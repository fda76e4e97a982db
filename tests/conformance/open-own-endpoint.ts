import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { issueToken } from '../support/issue-token.ts';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

/**
 * The product itself, behind a door that adds a token to every request, since the suite brings none.
 * Answers the address of that door.
 */
export async function openOwnEndpoint() {
  const dataDir = await mkdtemp(join(tmpdir(), 'tradewind-conformance-'));
  const server = spawn(
    process.execPath,
    [launcher, 'serve', '--json', '--port', '0', '--data-dir', dataDir, '--devchain', 'off'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [ready] = await once(createInterface(server.stdout), 'line');
  const { url } = JSON.parse(ready);
  const door = openDoor(new URL(url), await issueToken(url, 'swap.read'));
  await once(door, 'listening');
  return {
    url: `http://localhost:${(door.address() as AddressInfo).port}/mcp`,
    async close() {
      door.closeAllConnections();
      door.close();
      server.kill();
      await once(server, 'exit');
      await rm(dataDir, { recursive: true });
    },
  };
}

function openDoor(target: URL, token: string) {
  return createServer((asked, answer) => {
    // A request to the door itself is meant for the server; what names another host stays as it is.
    const own = asked.socket.localPort;
    const toTarget = (text: string | undefined) =>
      text?.replace(new RegExp(`(localhost|127\\.0\\.0\\.1):${own}$`), target.host);
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const { host, origin } = asked.headers;
    const named = {
      host: toTarget(host),
      ...(origin === undefined ? {} : { origin: toTarget(origin) }),
    };
    const forwarded = send(
      {
        host: '127.0.0.1',
        port: target.port,
        path: asked.url,
        method: asked.method,
        headers: { ...headers, ...named },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    asked.pipe(forwarded);
  }).listen(0, '127.0.0.1');
}
