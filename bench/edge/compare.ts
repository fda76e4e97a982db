import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Pool } from 'undici';
import type { Case } from './cases.ts';
import { median, quartiles } from './spread.ts';

export type Comparison = {
  /** A program that serves the contestant named by its argument, and without one tells their names. */
  readonly script: string;
  /** The contestant that all others are compared with. */
  readonly reference: string;
  readonly cases: Readonly<Record<string, Case>>;
};

type Server = { readonly name: string; readonly child: ChildProcess; readonly origin: string };

const requests = Number(process.argv[2] ?? 600);
const rounds = Number(process.argv[3] ?? 9);
/** What a process costs depends on what its compiler decided, so each contestant is started several times. */
const starts = Number(process.env.STARTS ?? 4);
const warmUp = Number(process.env.WARM_UP ?? 3_000);
const callers = (process.env.CALLERS ?? '16,32').split(',').map(Number);
const isChosen = (name: string, chosen: string | undefined) =>
  chosen === undefined || chosen.split(',').some((part) => name.includes(part));

/** The microseconds of each contestant, round by round, in each start. */
type Micros = ReadonlyMap<string, readonly number[]>;

/** Calls all contestants in turn, and prints a table for each case: processor time, and its ratio to that of the reference. */
export async function compareServers({ script, reference, cases }: Comparison): Promise<void> {
  console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
  const chosen = callers.flatMap((connections) =>
    Object.entries(cases)
      .filter(([what]) => isChosen(what, process.env.CASES))
      .map(([what, asked]) => ({ what, asked, connections, measured: [] as Micros[] })),
  );
  const names = (await contestants(script)).filter(
    (name) => name === reference || isChosen(name, process.env.ONLY),
  );
  for (let start = 0; start < starts; start++) {
    const servers: Server[] = [];
    for (const name of names) servers.push(await open(script, name));
    // Backwards each second time: what a server has compiled depends on what it served before.
    for (const { asked, connections, measured } of start % 2 === 0 ? chosen : chosen.toReversed()) {
      measured.push(await measure(servers, asked, connections));
    }
    for (const { child } of servers) child.disconnect();
  }
  for (const { what, connections, measured } of chosen) {
    console.log(`\n${what}, ${connections} connections`);
    console.table(describe(measured, reference));
  }
  console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
}

async function contestants(script: string): Promise<readonly string[]> {
  const child = fork(script);
  const [{ names }] = await once(child, 'message');
  return names;
}

async function open(script: string, name: string): Promise<Server> {
  // As `npm start` runs the server.
  const child = fork(script, [name], { execArgv: ['--max-semi-space-size=32'] });
  const [{ port }] = await once(child, 'message');
  return { name, child, origin: `http://127.0.0.1:${port}` };
}

async function measure(
  servers: readonly Server[],
  asked: Case,
  connections: number,
): Promise<Micros> {
  const called = servers.map((one) => ({ ...one, pool: new Pool(one.origin, { connections }) }));
  for (const { pool } of called) await load(pool, { asked, connections, count: warmUp });
  const micros = new Map<string, number[]>(called.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // In the other direction each second time, so that nobody always follows the same one.
    for (const { name, child, pool } of round % 2 === 0 ? called : called.toReversed()) {
      const before = await cpuOf(child);
      await load(pool, { asked, connections, count: requests });
      micros.get(name)?.push(((await cpuOf(child)) - before) / requests);
    }
  }
  for (const { pool } of called) await pool.close();
  return micros;
}

function describe(measured: readonly Micros[], reference: string): object {
  const of = (name: string) => measured.map((micros) => micros.get(name) ?? []);
  const ofReference = of(reference);
  const rows = [...(measured[0]?.keys() ?? [])].map((name) => {
    const taken = of(name);
    const ratios = taken.map((start, index) =>
      start.map((one, round) => one / (ofReference[index]?.[round] ?? one)),
    );
    const [low, high] = quartiles(ratios.flat());
    const ofStarts = ratios.map(median);
    const best = Math.min(...taken.flat());
    const row = {
      'µs, median': median(taken.flat()).toFixed(0),
      best: best.toFixed(0),
      'ratio, median': median(ratios.flat()).toFixed(2),
      'half of the rounds': `${low.toFixed(2)}-${high.toFixed(2)}`,
      'medians of the starts': `${Math.min(...ofStarts).toFixed(2)}-${Math.max(...ofStarts).toFixed(2)}`,
      'best to best': (best / Math.min(...ofReference.flat())).toFixed(2),
    };
    return [name, row] as const;
  });
  return Object.fromEntries(rows);
}

async function load(
  pool: Pool,
  { asked, connections, count }: { asked: Case; connections: number; count: number },
): Promise<void> {
  let index = 0;
  const caller = async () => {
    while (index < count) {
      const { statusCode, body } = await pool.request(asked.asked(index++));
      const text = await body.text();
      if (statusCode !== asked.status || !text.includes(asked.contains)) {
        throw new Error(`${statusCode} ${text.slice(0, 200)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu.user + cpu.system;
}
