import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { type OpenDatabaseOptions, openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { openDelivery } from '../support/open-delivery.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { startChild } from '../support/start-child.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testRounds } from '../support/test-rounds.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const script = new URL('children/deliver-until-killed.ts', import.meta.url);
const timeout = 300_000 + testRounds * 20_000;
const subscriptions = 5;
/** More than a lease: for each run the leases of the killed processes have expired. */
const runsApart = 20_000;

test('a killed process loses no acknowledged event, in the file [E12.1, E12.9, E10.12, E10.13, E10.14]', {
  timeout,
}, async ({ annotate }) => {
  await publishAndKill({ options: { dataDir: createDataDir() }, processes: 1, annotate });
});

test('of two processes on PostgreSQL either may be killed, and no acknowledged event is lost [E12.1, E12.9, E14.40, E10.12, E10.13, E10.14]', {
  timeout,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  onTestFinished(server.stop);
  const options = { dataDir: '', url: server.url };
  await publishAndKill({ options, processes: 2, annotate });
});

test('of four processes one is killed and one stands still: nothing is lost, and each lane keeps its order [T11]', {
  timeout,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  onTestFinished(server.stop);
  const options = { dataDir: '', url: server.url };
  const receiver = await startWebhookReceiver();
  await subscribeAll(options, receiver.url);
  // Endless publishing would make deliveries wait behind an ever longer lane.
  const most = '30';
  const children = ['1', '2', '3', '4'].map((name) =>
    startChild(script, [JSON.stringify(options), '0', name, 'publish', most]),
  );
  onTestFinished(async () => void (await Promise.all(children.map((child) => child.kill()))));
  await Promise.all(children.map((child) => child.said(10 * subscriptions)));
  const [killed, frozen, ...others] = children;
  frozen?.freeze();
  await killed?.kill();
  const idsOf = () => receiver.received.map(({ headers }) => String(headers['ce-id']));
  const theirs = [...(killed?.lines ?? []), ...(frozen?.lines ?? [])];
  const since = performance.now();
  // The two remaining processes take over the lanes of the others, and go on with their own.
  await eventually(() => {
    const arrived = new Set(idsOf());
    expect(theirs.filter((id) => !arrived.has(id))).toEqual([]);
  }, timeout);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  frozen?.thaw();
  await Promise.all([frozen, ...others].map((child) => child?.said(Number(most) * subscriptions)));
  const acknowledged = children.flatMap(({ lines }) => lines);
  await eventually(() => {
    const arrived = new Set(idsOf());
    expect(acknowledged.filter((id) => !arrived.has(id))).toEqual([]);
  }, timeout);
  expect(findDisorder([...new Set(idsOf())])).toEqual([]);
  await annotate(`made good in ${seconds} s, ${acknowledged.length} acknowledged`);
});

type Run = {
  options: OpenDatabaseOptions;
  processes: number;
  annotate: TestContext['annotate'];
};

async function publishAndKill({ options, processes, annotate }: Run): Promise<void> {
  const receiver = await startWebhookReceiver();
  await subscribeAll(options, receiver.url);
  const fraction = createSeededFractions(5);
  const acknowledged: string[] = [];
  const start = (round: number, process: number, mode: 'publish' | 'finish') =>
    startChild(script, [
      JSON.stringify(options),
      String(round * runsApart),
      `${round}.${process}`,
      mode,
    ]);

  for (let round = 1; round <= testRounds; round++) {
    const children = Array.from({ length: processes }, (_, process) =>
      start(round, process, 'publish'),
    );
    for (const child of children) {
      await child.said(Math.floor(fraction() ** 2 * 60) * subscriptions);
      await child.kill();
      acknowledged.push(...child.lines);
    }
  }
  await start(testRounds + 1, 0, 'finish').ended();
  const received = receiver.received.map(({ headers }) => String(headers['ce-id']));
  const first = [...new Set(received)];
  const arrived = new Set(first);
  expect(acknowledged.filter((id) => !arrived.has(id))).toEqual([]);
  expect(findDisorder(first)).toEqual([]);
  await annotate(
    `${testRounds} rounds, ${acknowledged.length} acknowledged, ${received.length} deliveries, ${received.length - first.length} repeated`,
  );
  expect(acknowledged.length).toBeGreaterThan(0);
}

/** Ids are `subscription/run/n`; `n` must rise within each subscription and run. */
function findDisorder(ids: readonly string[]): string[] {
  const last = new Map<string, number>();
  return ids.filter((id) => {
    const [, publisher = '', n] = /^(.*)\/(\d+)$/.exec(id) ?? [];
    const isLate = Number(n) < (last.get(publisher) ?? -1);
    last.set(publisher, Number(n));
    return isLate;
  });
}

async function subscribeAll(options: OpenDatabaseOptions, url: string): Promise<void> {
  const database = await openDatabase(options);
  const delivery = await openDelivery(database);
  for (let n = 0; n < subscriptions; n++) {
    await delivery.subscribe({
      notificationEndpoint: { kind: 'webhook', uri: `${url}/${n}`, contentMode: 'BINARY' },
    });
  }
  await delivery.close();
  await database.close();
}
