import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startFuzzedServer } from '../../tests/fuzz/start-fuzzed-server.ts';
import {
  createPostgresDatabase,
  dropPostgresDatabase,
} from '../../tests/support/create-postgres-database.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import {
  type PostgresProxy,
  startPostgresProxy,
} from '../../tests/support/start-postgres-proxy.ts';
import { type Published, publishSteadily } from './publish-steadily.ts';

// What happens to publishing while PostgreSQL hangs, is paused, restarts, is read-only or has a full disk. Events are
// published at a steady rate before, during and after each fault. Prints a table. The full disk needs root.

const perSecond = Number(process.env.BENCH_RATE ?? 20);
const lasts = Number(process.env.BENCH_FAULT ?? 12_000);
const before = 5_000;
const after = 20_000;

type World = { readonly databaseUrl: string; readonly proxy: PostgresProxy };
type FaultCase = {
  readonly name: string;
  /** Begins the fault. Returns the repair, or undefined if none is needed. */
  begin(world: World): Promise<(() => Promise<void>) | undefined>;
  readonly onSmallDisk?: boolean;
};

const postgres = await startPostgres({ isDurable: true });

const cases: readonly FaultCase[] = [
  {
    name: 'open connections die without a word',
    async begin({ proxy }) {
      proxy.freezeOpen();
      return undefined;
    },
  },
  {
    name: 'nothing passes to or from it (blackholed)',
    async begin({ proxy }) {
      proxy.freeze();
      return async () => proxy.thaw();
    },
  },
  {
    name: 'all of its processes stand still (SIGSTOP)',
    async begin() {
      const pids = await processesOfServer();
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return async () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      };
    },
  },
  {
    name: 'killed, and started again',
    async begin() {
      await postgres.kill();
      return () => postgres.restart();
    },
  },
  {
    name: 'read-only',
    async begin({ databaseUrl }) {
      const name = new URL(databaseUrl).pathname.slice(1);
      await ask(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await ask(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      return () => ask(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    },
  },
  {
    name: 'its disk is full',
    onSmallDisk: true,
    async begin() {
      const filler = join(disk, 'filler');
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(4_096), { flag: 'a' });
      } catch {
        // The disk is full, as intended.
      }
      return async () => rmSync(filler);
    },
  },
];

const disk = mkdtempSync(join(tmpdir(), 'tradewind-faults-'));
try {
  console.log(`${perSecond} events a second, each fault for ${lasts / 1_000} s`);
  console.log(
    '| Fault | accepted | refused (503) | other | lost | twice | longest answer | no event accepted for | accepted again after |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  const wanted = process.env.BENCH_CASES?.split(',').map(Number);
  for (const [index, one] of cases.entries()) {
    if (wanted === undefined || wanted.includes(index)) console.log(await measure(one));
  }
  console.log(
    `load of the machine ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  await postgres.stop();
  rmSync(disk, { recursive: true, force: true });
}

async function measure({ name, begin, onSmallDisk = false }: FaultCase): Promise<string> {
  const unmount = onSmallDisk ? await mountDisk() : () => {};
  const databaseUrl = await createPostgresDatabase(postgres.url);
  if (onSmallDisk) {
    await ask(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET TABLESPACE small`);
  }
  const proxy = await startPostgresProxy(databaseUrl);
  const environment = { TRADEWIND_DATABASE_URL: proxy.url, TRADEWIND_DEVCHAIN: 'off' };
  const server = await startFuzzedServer(environment);
  const load = await publishSteadily(server.url.origin, perSecond);
  await delay(before);
  const begunAt = performance.now();
  const mend = await begin({ databaseUrl, proxy });
  await delay(lasts);
  await mend?.();
  const healsFrom = mend === undefined ? begunAt : performance.now();
  await delay(after);
  await load.finish(60_000);
  if (!server.isAlive()) throw new Error(`the server ended: ${server.faults()}`);
  await server.end();
  proxy.close();
  if (onSmallDisk) {
    await dropPostgresDatabase(databaseUrl);
    await ask('DROP TABLESPACE small');
  }
  unmount();
  return describe({ name, healsFrom, ...load });
}

function describe(run: {
  readonly name: string;
  readonly healsFrom: number;
  readonly published: readonly Published[];
  readonly received: ReadonlyMap<string, number>;
}): string {
  const { name, healsFrom, published, received } = run;
  const accepted = published.filter(({ status }) => status === 202);
  const refused = published.filter(({ status }) => status === 503);
  const lost = accepted.filter(({ id }) => !received.has(id));
  const twice = [...received.values()].filter((count) => count > 1);
  const answeredAt = accepted.map((one) => one.answeredAt).sort((a, b) => a - b);
  const gaps = answeredAt.slice(1).map((at, index) => at - (answeredAt[index] ?? at));
  const longest = Math.max(...published.map((one) => one.answeredAt - one.sentAt));
  const healed = accepted.filter(({ sentAt }) => sentAt > healsFrom).map((one) => one.answeredAt);
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
  const others = published.map(({ status }) => status).filter((one) => one !== 202 && one !== 503);
  const other = others.length === 0 ? '0' : `${others.length} (${[...new Set(others)].join(', ')})`;
  const cells = [
    name,
    accepted.length,
    refused.length,
    other,
    lost.length,
    twice.length,
    seconds(longest),
    seconds(Math.max(...gaps)),
    seconds(Math.min(...healed) - healsFrom),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function ask(text: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Mounts a small disk for one database, owned by the user that PostgreSQL runs as. */
async function mountDisk(): Promise<() => void> {
  const [server = 0] = await processesOfServer();
  const { uid, gid } = statSync(`/proc/${server}`);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
  chownSync(disk, uid, gid);
  await ask(`CREATE TABLESPACE small LOCATION '${disk}'`);
  return () => void execFileSync('umount', ['-l', disk]);
}

/** PostgreSQL's main process and its children. */
async function processesOfServer(): Promise<number[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const parent = parentOf(rows[0].pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
  await client.end();
  return [parent, ...children.filter((pid) => pid !== rows[0].pid)];
}

function parentOf(pid: number): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return Number(rest.split(' ')[1]);
  } catch {
    return -1; // it has ended meanwhile
  }
}
