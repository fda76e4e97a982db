/**
 * What authorization costs: processor time of the server for each operation over HTTP. Our server, durable on
 * disk, and oidc-provider, in memory, are measured in the same run. The guard's check of a request is measured
 * in this process. A last table has the memory of live tokens.
 *
 * Each operation is measured twice. "As started" covers the first requests of its kind to a new server, when the
 * interpreter and the compiler take much of the time. "Warm" is after both have settled. Every figure is the best
 * of its rounds. A bare Node.js server beside them shows the least possible cost.
 *
 * Run: node bench/authorization/run.ts [requests] [live tokens]. Linux only. BENCH_STARTS=3 sets how often each server is
 * started, BENCH_WARM_UP=15000 the number of requests of a kind after which it counts as warm. With BENCH_STORED=on the peer
 * that stores its tokens is measured in every operation, not in introspection alone.
 */
import { Pool } from 'undici';
import { measureGuard } from './measure-guard.ts';
import { measureMemory } from './measure-memory.ts';
import { type Call, hands, operations } from './operations.ts';
import {
  type Contestant,
  startBareServer,
  startOidcProvider,
  startTradewind,
} from './start-contestant.ts';

const requests = Number(process.argv[2] ?? 1_000);
const liveTokens = Number(process.argv[3] ?? 100_000);
const starts = Number(process.env.BENCH_STARTS ?? 3);
/** The servers take turns within one figure, so that other load on the machine affects all of them alike. */
const amounts = {
  'as started': { rounds: 1, turns: 10, count: 1_000 },
  warm: { rounds: 3, turns: 10, count: requests },
};
/** All servers have settled after this many requests of one kind. */
const warmUp = Number(process.env.BENCH_WARM_UP ?? 15_000);

const contestants = {
  tradewind: startTradewind,
  'oidc-provider, signed': () => startOidcProvider('jwt'),
  'oidc-provider, stored': () => startOidcProvider('opaque'),
  'Node.js alone': startBareServer,
};
type Name = keyof typeof contestants;
// The object literal above has no keys beyond those of its type.
const names = Object.keys(contestants) as Name[];
type Phase = keyof typeof amounts;

type Measured = { operation: string; name: Name; phase: Phase; micros: number };

const measured: Measured[] = [];
for (let start = 0; start < starts; start++) await measureServers('as started');
await measureServers('warm');
console.table(toRows());
console.table(await measureGuard());
console.table(await measureMemory(liveTokens));

/** Starts new servers and measures each operation. */
async function measureServers(phase: Phase): Promise<void> {
  const servers: Array<[Name, Contestant]> = [];
  for (const name of names) servers.push([name, await contestants[name]()]);
  for (const [operation, prepare] of Object.entries(operations)) {
    const called: Array<{ name: Name; server: Contestant; pool: Pool; call: Call }> = [];
    for (const [name, server] of servers) {
      if (!canDo(name, operation)) continue;
      const pool = new Pool(new URL(server.url).origin, { connections: hands });
      called.push({ name, server, pool, call: await prepare(server, pool) });
    }
    if (phase === 'warm') for (const { call } of called) await load(call, warmUp);
    const { rounds, turns, count } = amounts[phase];
    for (let round = 0; round < rounds; round++) {
      const cpuMs = new Map<Name, number>();
      for (let turn = 0; turn < turns; turn++) {
        for (const { name, server, call } of called) {
          const before = server.readCpuMs();
          await load(call, count);
          cpuMs.set(name, (cpuMs.get(name) ?? 0) + server.readCpuMs() - before);
        }
      }
      for (const [name, ms] of cpuMs) {
        measured.push({ operation, name, phase, micros: (ms * 1_000) / (turns * count) });
      }
    }
    for (const { pool } of called) await pool.close();
  }
  for (const [, server] of servers) await server.stop();
}

/**
 * The bare server has only two operations. oidc-provider does not introspect signed tokens, so there the peer is the variant
 * that stores them; in all other operations it is the variant that signs.
 */
function canDo(name: Name, operation: string): boolean {
  if (name === 'Node.js alone') return ['discovery', 'client credentials'].includes(operation);
  if (operation === 'introspection') return name !== 'oidc-provider, signed';
  return name !== 'oidc-provider, stored' || process.env.BENCH_STORED === 'on';
}

async function load(call: Call, count: number): Promise<void> {
  let left = count;
  const work = async (hand: number) => {
    while (left-- > 0) await call(hand);
  };
  await Promise.all(Array.from({ length: hands }, (_, hand) => work(hand)));
}

function bestOf(wanted: Omit<Measured, 'micros'>): number {
  const same = measured.filter(
    ({ operation, name, phase }) =>
      operation === wanted.operation && name === wanted.name && phase === wanted.phase,
  );
  return Math.min(...same.map(({ micros }) => micros));
}

function toRows(): object[] {
  return Object.keys(operations).flatMap((operation) =>
    names
      .filter((name) => canDo(name, operation))
      .map((name) => {
        const row: Record<string, string> = { operation, server: name };
        for (const phase of ['as started', 'warm'] as const) {
          const ours = bestOf({ operation, name: 'tradewind', phase });
          const cost = bestOf({ operation, name, phase });
          row[`${phase}, cpu µs`] = cost.toFixed(0);
          row[`ours to theirs, ${phase}`] = name === 'tradewind' ? '' : (ours / cost).toFixed(2);
        }
        return row;
      }),
  );
}
