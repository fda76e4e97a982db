import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPostgresDatabase } from '../../tests/support/create-postgres-database.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import type { NodeOrder } from './node.ts';

// What a delivery costs with one process and with several on one PostgreSQL: processor time of all of them and of
// the database, divided by the deliveries. Events are published one by one, at a steady rate, by the processes in turn.

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const perSecond = Number(process.env.BENCH_RATE ?? 200);
const events = Number(process.env.BENCH_EVENTS ?? 1_200);
/** For each process, so that its code is compiled: a cold one costs several times as much. */
const warmUp = Number(process.env.BENCH_WARM_UP ?? 1_500);
const warmUpPerSecond = 600;
const counts = (process.env.BENCH_PROCESSES ?? '1,2,4').split(',').map(Number);

const postgres = await startPostgres();
let received = 0;
const sink = createServer((request, response) => {
  request.resume().on('end', () => {
    received++;
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');
await once(sink, 'listening');
const uri = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/hook`; // TCP has such an address

try {
  for (const receivers of [1, 24]) {
    const figures = new Map<number, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const processes of counts) {
        const cost = await measure(processes, receivers);
        figures.set(processes, [...(figures.get(processes) ?? []), cost]);
      }
    }
    const median = (processes: number) =>
      (figures.get(processes) ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    for (const processes of counts) {
      const ratio = median(processes) / median(1);
      const text = `${median(processes).toFixed(3)} ms a delivery, ${ratio.toFixed(2)} of one process`;
      console.log(`${receivers} receivers, ${processes} processes: ${text}`);
    }
  }
} finally {
  sink.close();
  await postgres.stop();
}

async function measure(processes: number, receivers: number): Promise<number> {
  const url = await createPostgresDatabase(postgres.url);
  const nodes: ChildProcess[] = [];
  const script = fileURLToPath(new URL('node.ts', import.meta.url));
  for (let n = 0; n < processes; n++) {
    const node = fork(script, [url]);
    await once(node, 'message');
    nodes.push(node);
  }
  const tell = (node: ChildProcess | undefined, order: NodeOrder) => node?.send(order);
  const ask = async (node: ChildProcess, order: NodeOrder) => {
    tell(node, order);
    const [answer] = await once(node, 'message');
    return answer;
  };
  const targets: string[] = [];
  for (let n = 0; n < receivers; n++) {
    targets.push(await ask(nodes[0] as ChildProcess, { order: 'subscribe', uri }));
  }
  const publish = async (from: number, count: number, rate = perSecond) => {
    const startedAt = performance.now();
    for (let n = from; n < from + count; n++) {
      await delay(Math.max(0, startedAt + ((n - from) * 1_000) / rate - performance.now()));
      const target = targets[n % targets.length] ?? '';
      tell(nodes[Math.floor(n / targets.length) % processes], {
        order: 'publish',
        id: `e${n}`,
        target,
      });
    }
    while (received < from + count) await delay(20);
  };
  const timeOfAll = async () => {
    const times = [timeOfDatabase()];
    for (const node of nodes) times.push(await ask(node, { order: 'time' }));
    return times;
  };
  received = 0;
  await publish(0, warmUp * processes, warmUpPerSecond);
  const before = await timeOfAll();
  await publish(warmUp * processes, events);
  const times = (await timeOfAll()).map((time, index) => (time - (before[index] ?? 0)) / events);
  const cost = times.reduce((sum, time) => sum + time, 0);
  console.log(`  database and processes: ${times.map((time) => time.toFixed(3)).join(', ')}`);
  for (const node of nodes) node.disconnect();
  await Promise.all(nodes.map((node) => once(node, 'exit')));
  return cost;
}

/** Processor time in milliseconds of the server and all that it started, living and ended. */
function timeOfDatabase(): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const fields = rest.split(' ');
        return [{ pid, parent: fields[1], ticks: fields.slice(11, 15).map(Number) }];
      } catch {
        return [];
      }
    });
  const port = new URL(postgres.url).port;
  const master = stats.find(({ pid }) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return command[0]?.endsWith('/postgres') && command.includes(port);
    } catch {
      return false;
    }
  });
  if (master === undefined) throw new Error('PostgreSQL is not among the processes.');
  // A hundred ticks a second; those of ended children are with their parent.
  const own = [...master.ticks];
  const living = stats.filter(({ parent }) => parent === master.pid);
  const ticks = [...own, ...living.flatMap((one) => one.ticks.slice(0, 2))];
  return ticks.reduce((sum, one) => sum + one, 0) * 10;
}
