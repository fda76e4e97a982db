import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresDatabase,
  dropPostgresDatabase,
} from '../../tests/support/create-postgres-database.ts';
import { findFreePort } from '../../tests/support/find-free-port.ts';
import { issueToken } from '../../tests/support/issue-token.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { startNats } from '../scale/open-cluster.ts';
import { startServer } from '../server/start-server.ts';
import { openReceiver } from './open-receiver.ts';

// What happens to events while one of four processes on PostgreSQL and NATS is killed and restarted, or paused, in
// turn [T11]. Each target has one publisher, which retries an event at the next process until one accepts it. Prints the
// delay of the most overdue event for each fault, and at the end the events that were lost or out of order.

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const targets = Number(process.env.BENCH_TARGETS ?? 20);
const perSecond = Number(process.env.BENCH_RATE ?? 1); // for each target
const lasts = 15_000;
const processes = 4;
const type = 'google.workspace.drive.file.v3.created';
const scope = 'subscriptions.read subscriptions.write events.publish';

type Accepted = { readonly id: string; readonly sentAt: number; readonly acceptedAt: number };
type Arrival = { readonly id: string; readonly at: number };

const postgres = await startPostgres({ isDurable: true });
const nats = await startNats();
const databaseUrl = await createPostgresDatabase(postgres.url);
const environment = {
  TRADEWIND_CHAINS: '1',
  TRADEWIND_DATABASE_URL: databaseUrl,
  TRADEWIND_SECRET_KEY: 'the same for all of them',
  TRADEWIND_PUBLIC_URL: `http://localhost:${await findFreePort()}`,
  TRADEWIND_NATS_URL: nats.url,
};
const ports: string[] = [];
for (let n = 0; n < processes; n += 1) ports.push(String(await findFreePort()));
const start = (port = '') => startServer({ environment: { ...environment, TRADEWIND_PORT: port } });
const servers: Awaited<ReturnType<typeof start>>[] = [];
// One after the other: the first one creates the tables.
for (const port of ports) servers.push(await start(port));
const urls = ports.map((port) => `http://127.0.0.1:${port}`);

const arrivals: Arrival[] = [];
const receiver = await openReceiver((id) => arrivals.push({ id, at: performance.now() }));
const { uri } = receiver;

const authorization = `Bearer ${await issueToken(String(urls[0]), scope)}`;
const accepted: Accepted[] = [];
let isOver = false;
const names = Array.from({ length: targets }, (_, n) => `//drive.googleapis.com/files/t${n}`);
for (const targetResource of names) {
  const body = { targetResource, eventTypes: [type], notificationEndpoint: { webhook: { uri } } };
  const answer = await post(String(urls[0]), '/v1/subscriptions', body, 'application/json');
  if (!answer.ok) throw new Error(await answer.text());
}
const publishing = names.map(publishInOrder);
await delay(5_000);

console.log('| Fault | most overdue delivery | longest wait for 202 |');
console.log('|---|---|---|');
for (let round = 0; round < rounds * 2; round += 1) {
  const which = round % processes;
  const begunAt = performance.now();
  const isKill = round % 2 === 0;
  const pid = servers[which]?.pid ?? 0;
  process.kill(pid, isKill ? 'SIGKILL' : 'SIGSTOP');
  await delay(lasts);
  if (isKill) servers[which] = await start(ports[which]);
  else process.kill(pid, 'SIGCONT');
  await delay(5_000);
  console.log(describe(`${isKill ? 'kill -9' : 'SIGSTOP'} of process ${which + 1}`, begunAt));
}

isOver = true;
await Promise.all(publishing);
const until = performance.now() + 30_000;
while (findLost().length > 0 && performance.now() < until) await delay(100);
const first = [...new Set(arrivals.map(({ id }) => id))];
console.log(
  `${accepted.length} accepted, ${findLost().length} lost, ${findDisorder(first).length} out of order, ${arrivals.length - first.length} delivered again; load ${loadavg()[0]?.toFixed(1)}`,
);
await Promise.all(servers.map((server) => server.stop()));
receiver.close();
await nats.stop();
await dropPostgresDatabase(databaseUrl);
await postgres.stop();

async function publishInOrder(subject: string, target: number): Promise<void> {
  for (let n = 0; !isOver; n += 1) {
    const id = `${target}/${n}`;
    const data = { file: { name: subject.slice('//drive.googleapis.com/'.length) } };
    const event = { specversion: '1.0', id, source: '//bench', type, subject, data };
    const sentAt = performance.now();
    for (let turn = target + n; ; turn += 1) {
      const url = urls[turn % processes] ?? '';
      const answer = await post(url, '/v1/events', event, 'application/cloudevents+json').catch(
        () => undefined,
      );
      if (answer?.status === 202) break;
      await delay(50);
    }
    accepted.push({ id, sentAt, acceptedAt: performance.now() });
    await delay(1_000 / perSecond);
  }
}

/** Waits for two seconds at most, as a proxy in front would before it tries another process. */
async function post(url: string, path: string, body: object, contentType: string) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': contentType },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(2_000),
  });
  return { ok: answer.ok, status: answer.status, text: async () => answer.text() };
}

function describe(name: string, begunAt: number): string {
  const arrivedAt = new Map(arrivals.toReversed().map(({ id, at }) => [id, at]));
  const now = performance.now();
  const concerned = accepted.filter(({ id, acceptedAt }) => {
    const at = arrivedAt.get(id) ?? now;
    return acceptedAt > begunAt - 5_000 && at > begunAt;
  });
  const overdue = concerned.map(
    ({ id, acceptedAt }) => (arrivedAt.get(id) ?? now) - Math.max(acceptedAt, begunAt),
  );
  const waits = concerned.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt);
  const seconds = (all: readonly number[]) => `${(Math.max(0, ...all) / 1_000).toFixed(1)} s`;
  return `| ${name} | ${seconds(overdue)} | ${seconds(waits)} |`;
}

function findLost(): readonly Accepted[] {
  const arrived = new Set(arrivals.map(({ id }) => id));
  return accepted.filter(({ id }) => !arrived.has(id));
}

/** Ids are `target/n`, and `n` must grow within a target. */
function findDisorder(ids: readonly string[]): readonly string[] {
  const last = new Map<string, number>();
  return ids.filter((id) => {
    const [target = '', n] = id.split('/');
    const isLate = Number(n) < (last.get(target) ?? -1);
    last.set(target, Number(n));
    return isLate;
  });
}
