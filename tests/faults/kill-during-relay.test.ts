import { expect, onTestFinished, type TestContext, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import type { OpenDatabaseOptions } from '../../src/kernel/database/open-database.ts';
import { sql, sqlText } from '../../src/kernel/database/sql.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { startChild } from '../support/start-child.ts';
import { startNats } from '../support/start-nats.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testRounds } from '../support/test-rounds.ts';
import { testsWith } from '../support/tests-with.ts';
import { withDatabase } from '../support/with-database.ts';

const script = new URL('children/relay-until-killed.ts', import.meta.url);
/** A run is longer here than in the tests of single writes. */
const rounds = Math.ceil(testRounds / 4);
const timeout = 300_000 + rounds * 20_000;
/** More than a lease: for each run the leases of the killed processes have expired. */
const runsApart = 20_000;

test('a killed process loses no event and no scheduled work in the file [H23, H24, H25, H28]', {
  timeout,
}, async ({ annotate }) => {
  const options = { dataDir: createDataDir() };
  await runAndKill({ options, processes: 1, annotate });
});

test('two processes on PostgreSQL, one or both killed, lose no event and no scheduled work [H23, H24, H25, H26, H28]', {
  timeout,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  onTestFinished(server.stop);
  const options = { dataDir: '', url: server.url };
  await runAndKill({ options, processes: 2, annotate });
});

testsWith('nats').test(
  'processes on PostgreSQL and NATS, each of the three killed, lose no event and no scheduled work [H23, H24, H25, H26, H28, H57]',
  {
    timeout,
  },
  async ({ annotate }) => {
    const server = await startPostgres({ isDurable: true });
    onTestFinished(server.stop);
    const options = { dataDir: '', url: server.url };
    const store = createDataDir();
    const port = await findFreePort();
    let nats = await startNats({ store, port });
    // Only in every second round: killed in each, NATS would bring back what a process removed too early.
    const afterKill = async (round: number) => {
      if (round % 2 === 1) return;
      await nats.stop();
      nats = await startNats({ store, port });
    };
    await runAndKill({ options, processes: 2, natsUrl: nats.url, afterKill, annotate });
  },
);

type Run = {
  options: OpenDatabaseOptions;
  processes: number;
  natsUrl?: string;
  afterKill?: (round: number) => Promise<void>;
  annotate: TestContext['annotate'];
};

async function runAndKill(run: Run): Promise<void> {
  const { options, processes, natsUrl, afterKill = async () => {}, annotate } = run;
  await withDatabase(options, createTables);
  const fraction = createSeededFractions(3);
  const start = (round: number, mode: 'count' | 'finish') =>
    startChild(script, [
      ...[JSON.stringify(options), String(round * runsApart), mode],
      ...(natsUrl ? [natsUrl] : []),
    ]);

  for (let round = 1; round <= rounds; round++) {
    const children = Array.from({ length: processes }, () => start(round, 'count'));
    for (const child of children) {
      await child.said(Math.floor(fraction() ** 2 * 1_000));
      await child.kill();
      await afterKill(round);
    }
  }
  const last = Array.from({ length: processes }, () => start(rounds + 1, 'finish'));
  await Promise.all(last.map((child) => child.ended()));
  await withDatabase(options, (database) => checkOutcome(database, annotate));
}

async function createTables(database: Database): Promise<void> {
  await migrate(database, kernelMigrations);
  const { identity } = database.dialect;
  for (const table of [
    'counters (key TEXT PRIMARY KEY, n BIGINT NOT NULL)',
    `deliveries (position ${identity}, key TEXT NOT NULL, n BIGINT NOT NULL)`,
    'done (key TEXT PRIMARY KEY)',
  ]) {
    await database.run(sqlText(`CREATE TABLE ${table}`));
  }
}

/** Every count has its event, first deliveries are in order, and the work of every count was done. */
async function checkOutcome(database: Database, annotate: TestContext['annotate']): Promise<void> {
  const counters = await database.all<{ key: string; n: number }>(sql`SELECT key, n FROM counters`);
  const deliveries = await database.all<{ key: string; n: number }>(
    sql`SELECT key, n FROM deliveries ORDER BY position`,
  );
  const done = await database.all<{ key: string }>(sql`SELECT key FROM done`);
  const doneKeys = new Set(done.map(({ key }) => key));
  let events = 0;
  for (const { key, n } of counters) {
    const all = Array.from({ length: n }, (_, index) => index + 1);
    const told = new Set(deliveries.filter((one) => one.key === key).map((one) => one.n));
    expect([...told]).toEqual(all);
    expect(all.filter((count) => !doneKeys.has(`${key}-${count}`))).toEqual([]);
    events += n;
  }
  expect(events).toBeGreaterThan(0);
  await annotate(`${rounds} rounds, ${events} events, ${deliveries.length} deliveries`);
}
