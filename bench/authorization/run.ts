/**
 * What authorization costs: processor time of the server for each operation over HTTP, ours durable on
 * disk beside oidc-provider in memory, in the same run; and in process the check of a request by the
 * guard, and the memory of live tokens.
 *
 * Each operation is measured as started, by the first requests of its kind to a server that has just
 * begun, where much of the time is that of the interpreter and the compiler, and warm, when both have
 * settled. Every figure is the best of its rounds.
 *
 * Run: node bench/authorization/run.ts [requests] [live tokens]. Linux only.
 */
import { Pool } from 'undici';
import { measureGuard } from './measure-guard.ts';
import { measureMemory } from './measure-memory.ts';
import { type Call, hands, operations } from './operations.ts';
import { type Contestant, startOidcProvider, startTradewind } from './start-contestant.ts';

const requests = Number(process.argv[2] ?? 3_000);
const liveTokens = Number(process.argv[3] ?? 100_000);
const starts = 3;
const firstRequests = 10_000;
const warmRounds = 5;
/** All of them have settled after this many requests of one kind. */
const warmUp = 15_000;

const contestants = {
  tradewind: startTradewind,
  'oidc-provider, signed': () => startOidcProvider('jwt'),
  'oidc-provider, stored': () => startOidcProvider('opaque'),
};
type Name = keyof typeof contestants;
// The keys of an object that is written here are its type's.
const names = Object.keys(contestants) as Name[];
type Phase = 'as started' | 'warm';

type Measured = { operation: string; name: Name; phase: Phase; micros: number };

const measured: Measured[] = [];
for (let start = 1; start <= starts; start++) await measureServers({ isLast: start === starts });
console.table(toRows());
console.table(await measureGuard());
console.table(await measureMemory(liveTokens));

/** Starts every server anew and measures each operation; the warm figures take the last servers alone. */
async function measureServers({ isLast }: { isLast: boolean }): Promise<void> {
  const servers: Array<[Name, Contestant]> = [];
  for (const name of names) servers.push([name, await contestants[name]()]);
  for (const [operation, prepare] of Object.entries(operations)) {
    const called: Array<{ name: Name; server: Contestant; pool: Pool; call: Call }> = [];
    for (const [name, server] of servers) {
      if (!canDo(name, operation)) continue;
      const pool = new Pool(new URL(server.url).origin, { connections: hands });
      called.push({ name, server, pool, call: await prepare(server, pool) });
    }
    for (const { name, server, call } of called) {
      const micros = await microsOf(server, call, firstRequests);
      measured.push({ operation, name, phase: 'as started', micros });
    }
    // In turns, so that what else the machine does meets all of them.
    for (let round = 0; isLast && round <= warmRounds; round++) {
      for (const { name, server, call } of called) {
        const micros = await microsOf(server, call, round === 0 ? warmUp : requests);
        if (round > 0) measured.push({ operation, name, phase: 'warm', micros });
      }
    }
    for (const { pool } of called) await pool.close();
  }
  for (const [, server] of servers) await server.stop();
}

/** oidc-provider refuses to introspect the tokens that it signed. */
function canDo(name: Name, operation: string): boolean {
  return operation !== 'introspection' || name !== 'oidc-provider, signed';
}

async function microsOf(server: Contestant, call: Call, count: number): Promise<number> {
  const before = server.readCpuMs();
  await load(call, count);
  return ((server.readCpuMs() - before) * 1_000) / count;
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
