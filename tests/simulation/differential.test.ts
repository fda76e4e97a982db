import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { createPostgresSchema } from '../support/create-postgres-database.ts';
import { type Engine, followSchedule, writeAnswer } from './postgres/follow-schedule.ts';
import { cellsTable, drawSchedule, firstCells } from './postgres/random-schedule.ts';
import { openRowStore } from './postgres/row-store.ts';
import { createSimulatedPostgres } from './postgres/simulated-postgres.ts';
import { createScheduler } from './world/scheduler.ts';
import { createSimulatedRandom } from './world/simulated-random.ts';

/** By hand: `SCHEDULES=10000 npx vitest run --project simulation tests/simulation/differential.test.ts`. */
const schedules = Number(process.env.SCHEDULES ?? 200);
/** The seed of the first schedule. */
const first = Number(process.env.SEED ?? 1);
const most = 3;
/** A schedule takes some 30 ms, and several times that on a busy machine. */
const timeout = 60_000 + schedules * 300;

test(`answers clients of ${schedules} random schedules as PostgreSQL does [N13]`, {
  timeout,
}, async () => {
  const real = await openReal(await createPostgresSchema(inject('postgresUrl')));
  const simulate = openSimulated();
  let compared = 0;
  for (let seed = first; seed < first + schedules; seed++) {
    const schedule = drawSchedule(createSimulatedRandom(seed));
    const { races, ...simulated } = await simulate(schedule);
    // Where PostgreSQL itself leaves open who goes first, there is nothing to compare.
    if (races > 0) continue;
    compared += 1;
    const why = `seed ${seed}: ${JSON.stringify(schedule)}`;
    const expected = await real.play(schedule);
    // Which session PostgreSQL aborts in a deadlock depends on how long each has waited in real time.
    if (isDeadlocked(simulated)) expect(isDeadlocked(expected), why).toBe(true);
    else expect(simulated, why).toEqual(expected);
  }
  expect(compared).toBeGreaterThan(schedules * 0.9);
  await real.close();
});

test('updates a row after a lock wait with a unique value computed from the committed version [N13]', async () => {
  const real = await openReal(await createPostgresSchema(inject('postgresUrl')));
  const begin = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
  const commit = { text: 'COMMIT', values: [] };
  const change = { text: 'UPDATE cells SET value = value + 3 WHERE id = $1', values: [4] };
  const mark = {
    text: 'UPDATE cells SET mark = value * 10 WHERE id = $1 RETURNING id, mark',
    values: [4],
  };
  const schedule = { sessions: [[begin, change, commit], [mark]], order: [0, 0, 1, 0] };
  const { races, ...simulated } = await openSimulated()(schedule);
  expect(races).toBe(0);
  expect(simulated).toEqual(await real.play(schedule));
  expect(simulated.cells).toContainEqual([4, 7, 70]);
  await real.close();
});

function isDeadlocked({ seen }: Played): boolean {
  return seen.some((told) => told.includes('40P01'));
}

type Schedule = ReturnType<typeof drawSchedule>;
type Played = { readonly seen: readonly string[]; readonly cells: unknown };

async function openReal(url: string) {
  const connect = async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    // A shorter timeout finds the same deadlocks, and nothing here has to survive a crash.
    await client.query("SET deadlock_timeout = '20ms'");
    await client.query('SET synchronous_commit = off');
    return client;
  };
  const [monitor, ...clients] = await Promise.all(Array.from({ length: most + 1 }, connect));
  await monitor!.query(cellsTable);
  const pids = await Promise.all(
    clients.map(
      async (client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid,
    ),
  );

  const play = async (schedule: Schedule): Promise<Played> => {
    // In one round trip; for so few rows DELETE costs less than TRUNCATE.
    const cells = firstCells.map(({ id, value }) => `(${id}, ${value})`);
    await monitor!.query(`DELETE FROM cells; INSERT INTO cells VALUES ${cells}`);
    const unanswered = new Set<number>();
    let sent: Promise<void> = Promise.resolve();
    const isWaiting = async () => {
      const { rows } = await monitor!.query(
        'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid = ANY($1)',
        [pids],
      );
      return new Set(rows.map(({ pid }) => pids.indexOf(pid)));
    };
    const engine: Engine = {
      send(session, { text, values }, answered) {
        unanswered.add(session);
        const tell = (answer: string) => {
          unanswered.delete(session);
          answered(answer);
        };
        sent = clients[session]!.query(text, [...values]).then(
          ({ command, rows, rowCount }) =>
            tell(writeAnswer(command, rows.map(toNumbers), rowCount)),
          ({ code }) => tell(`error ${code}`),
        );
      },
      async settle() {
        // Most statements are answered sooner than a query for the waiting sessions would be.
        await Promise.race([sent, sleep(2)]);
        if (unanswered.size === 0) return;
        for (;;) {
          const asked = [...unanswered];
          const waiting = await isWaiting();
          // A session that was answered meanwhile may have unblocked others, which `waiting` does not show.
          if (asked.length > unanswered.size) continue;
          if (asked.every((session) => waiting.has(session))) return;
        }
      },
      async untilBroken() {
        const before = unanswered.size;
        while (unanswered.size === before) await isWaiting();
      },
    };
    const seen = await followSchedule(schedule, engine);
    await Promise.all(clients.map((client) => client.query('ROLLBACK')));
    const { rows } = await monitor!.query('SELECT id, value, mark FROM cells ORDER BY id');
    return { seen, cells: rows.map(toNumbers).map(Object.values) };
  };
  return { play, close: () => Promise.all([monitor!, ...clients].map((client) => client.end())) };
}

function openSimulated() {
  const store = openRowStore<
    Parameters<Parameters<typeof createSimulatedPostgres>[1]['commit']>[0]
  >([cellsTable]);
  return async ({ sessions, order }: Schedule): Promise<Played & { readonly races: number }> => {
    store.reset();
    const scheduler = createScheduler();
    const server = createSimulatedPostgres(scheduler, store);
    const limits = { statement: 0, lock: 0, idleInTransaction: 0 };
    let answers = 0;
    const connect = () => {
      let answered = (_answer: string) => {};
      const session = server.connect(limits, {
        reply(reply) {
          answers += 1;
          if ('error' in reply) return answered(`error ${(reply.error as { code?: string }).code}`);
          const { command, rows, rowCount, columns } = reply.answer;
          const named = rows.map((row) =>
            Object.fromEntries(columns.map((name, at) => [name, row[at]])),
          );
          answered(writeAnswer(command, named, rowCount));
        },
        notice: () => {},
        closed: () => {},
      });
      return {
        ask(text: string, values: readonly (string | number | null)[]) {
          session?.ask(text, values);
        },
        hear(callback: (answer: string) => void) {
          answered = callback;
        },
      };
    };
    const setUp = connect();
    for (const { id, value } of firstCells) {
      setUp.ask('INSERT INTO cells (id, value) VALUES ($1, $2)', [id, value]);
    }
    const connections = sessions.map(connect);
    const seen = await followSchedule(
      { sessions, order },
      {
        send(session, { text, values }, answered) {
          connections[session]!.hear(answered);
          connections[session]!.ask(text, values);
        },
        settle: () => scheduler.runUntil(scheduler.now() + 1),
        async untilBroken() {
          const before = answers;
          await scheduler.runUntil(scheduler.now() + 10_000, () => answers > before);
        },
      },
    );
    for (const connection of connections) {
      connection.hear(() => {});
      connection.ask('ROLLBACK', []);
    }
    return { seen, cells: store.dump().cells, races: server.races };
  };
}

/** The driver returns whole numbers as text, since they may be large. */
function toNumbers(row: Record<string, unknown>): Record<string, number | null> {
  const toNumber = (value: unknown) => (value === null ? null : Number(value));
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toNumber(value)]));
}
