import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openSurfaces } from '../support/ask-every-surface.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { openSmallDisk } from '../support/open-small-disk.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { runTradewind, serve } from '../support/run-tradewind.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testsWith } from '../support/tests-with.ts';

const retry = '10';
/** Each service in its own envelope (D7). */
const allRefused = {
  authorization: { status: 503, retry, error: 'temporarily_unavailable' },
  events: {
    status: 503,
    retry,
    error: expect.objectContaining({ code: 503, status: 'UNAVAILABLE' }),
  },
  swap: { status: 503, retry, error: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) },
  health: { status: 503, retry, error: expect.objectContaining({ code: 'NOT_READY' }) },
};

const hindrancesOf = (url: string) => async () =>
  ((await (await fetch(`${url}/health`)).json()) as { error?: { details: unknown } }).error
    ?.details;
const healthOf = (url: string) => async () => (await fetch(`${url}/health`)).status;

test('a read-only PostgreSQL gives 503 on every surface, and the server recovers by itself [D7, N10, T7]', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'));
  const server = await serve({ environment: { TRADEWIND_DATABASE_URL: databaseUrl } });
  const surfaces = await openSurfaces(server.url);
  const admin = new Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  onTestFinished(() => admin.end());
  const name = new URL(databaseUrl).pathname.slice(1);
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await admin.query(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
    [name],
  );
  await expect.poll(healthOf(server.url)).toBe(503);
  await expect.poll(() => surfaces.ask()).toEqual(allRefused);
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  await expect.poll(() => surfaces.publish('afterwards')).toBe(202);
  await expect.poll(healthOf(server.url)).toBe(200);
});

testsWith('mounts').test(
  'a full disk gives 503 on every surface, and the server recovers by itself [D7, N10, T7]',
  async () => {
    const disk = openSmallDisk();
    const server = await serve({ dataDir: disk.path });
    const surfaces = await openSurfaces(server.url);
    disk.fill();
    await expect.poll(hindrancesOf(server.url)).toEqual({
      database: 'cannot be written, its disk is full',
    });
    const environment = { TRADEWIND_DATA_DIR: disk.path };
    const doctor = await runInProcess(['doctor'], { environment });
    expect(doctor.stdout).toContain('make room on its disk');
    expect(readdirSync(disk.path).filter((name) => name.startsWith('.doctor'))).toEqual([]);
    await expect.poll(() => surfaces.ask()).toEqual(allRefused);
    disk.clear();
    await expect.poll(() => surfaces.publish('afterwards')).toBe(202);
    await expect.poll(healthOf(server.url)).toBe(200);
  },
);

testsWith('mounts').test(
  'a full disk of PostgreSQL is reported even if small changes still fit, and the server recovers by itself [N10, T7]',
  async () => {
    const disk = openSmallDisk({ megabytes: 192 });
    const postgres = await startPostgres({ directory: disk.path });
    onTestFinished(() => postgres.stop());
    const environment = { TRADEWIND_DATABASE_URL: await createPostgresDatabase(postgres.url) };
    const server = await serve({ environment });
    const register = () =>
      fetch(`${server.url}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['http://localhost/'], client_name: 'x'.repeat(90) }),
      });
    disk.fill();
    await expect.poll(async () => (await register()).status, { interval: 1 }).toBe(503);
    await expect.poll(hindrancesOf(server.url)).toEqual({
      database: 'cannot be written, its disk is full',
    });
    disk.clear();
    await expect.poll(healthOf(server.url)).toBe(200);
  },
);

test('a deleted data directory gives 503 on every surface: nothing is acknowledged into an unlinked file [D7, N10, T7]', async () => {
  const server = await serve();
  const surfaces = await openSurfaces(server.url);
  expect(await surfaces.publish('before')).toBe(202);
  rmSync(server.dataDir, { recursive: true });
  await expect.poll(() => surfaces.ask()).toEqual(allRefused);
});

testsWith('mounts').test(
  'a file that cannot be removed at shutdown does not change the exit code [T7]',
  async () => {
    const server = await serve();
    const kept = join(server.dataDir, 'operator.token');
    // Not even root can remove a mount point.
    execFileSync('mount', ['--bind', kept, kept]);
    onTestFinished(() => void execFileSync('umount', ['-l', kept]));
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

test('a data directory that cannot be written is named at the start, with the way out [T7]', async () => {
  const dataDir = createUnwritableDirectory();
  const run = runTradewind(['serve', '--port', '0', '--data-dir', dataDir]);
  expect(await run.ended).toBe(1);
  const { stdout, stderr } = run.output();
  expect(stdout).toBe('');
  expect(stderr).toContain(`The data directory ${dataDir} cannot be written`);
  expect(stderr).toContain('choose another by TRADEWIND_DATA_DIR');
});

/** File permissions do not stop root, but even root cannot create files in `/proc/self`. */
function createUnwritableDirectory(): string {
  if (process.getuid?.() === 0) return '/proc/self';
  const path = createDataDir();
  chmodSync(path, 0o500);
  return path;
}
