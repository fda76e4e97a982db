import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

/** The whole product in a process of its own, on a free port with an empty data directory. */
export async function startProduct(environment: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tradewind-conformance-'));
  const server = spawn(
    process.execPath,
    [launcher, 'serve', '--json', '--port', '0', '--data-dir', dataDir, '--devchain', 'off'],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...environment } },
  );
  const [ready] = await once(createInterface(server.stdout), 'line');
  const { url }: { url: string } = JSON.parse(ready);
  return {
    url,
    async close() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await rm(dataDir, { recursive: true });
    },
  };
}
