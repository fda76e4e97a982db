import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import type { SimulatedRandom } from '../world/simulated-random.ts';

/** A few rows that a few transactions fight for. */
export const cellsTable =
  'CREATE TABLE cells (id BIGINT PRIMARY KEY, value BIGINT NOT NULL, mark BIGINT UNIQUE)';
export const firstCells = [1, 2, 3, 4].map((id) => ({ id, value: id }));

export type Step = { readonly text: string; readonly values: readonly SqlValue[] };
/** For each session its statements, and the order in which sessions are asked for their next one. */
export type Schedule = {
  readonly sessions: readonly (readonly Step[])[];
  readonly order: readonly number[];
};

/** A random schedule of transactions, made of the kinds of statements that the stores have. */
export function drawSchedule(random: SimulatedRandom): Schedule {
  const sessions = Array.from({ length: 2 + random.below(2) }, () => drawTransaction(random));
  const order = sessions.flatMap((steps, session) => steps.map(() => session));
  // A Fisher-Yates shuffle; a blocked session gets its turn later.
  for (let index = order.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return { sessions, order };
}

function drawTransaction(random: SimulatedRandom): Step[] {
  const statements = Array.from({ length: 1 + random.below(3) }, () => drawStatement(random));
  if (random.below(4) === 0) return statements.slice(0, 1);
  const end = { text: random.below(4) === 0 ? 'ROLLBACK' : 'COMMIT', values: [] };
  return [{ text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] }, ...statements, end];
}

function drawStatement(random: SimulatedRandom): Step {
  const [id, value] = [1 + random.below(5), random.below(5)];
  return random.pick<Step>([
    { text: 'SELECT id, value FROM cells WHERE id = $1 FOR UPDATE', values: [id] },
    {
      text: 'SELECT id, value FROM cells WHERE value >= $1 ORDER BY id FOR UPDATE',
      values: [value],
    },
    {
      text: 'SELECT id, value FROM cells WHERE value >= $1 ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED',
      values: [value],
    },
    {
      text: `WITH due AS MATERIALIZED (
          SELECT id FROM cells WHERE value >= $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
        UPDATE cells SET value = value + 10 WHERE id IN (SELECT id FROM due) RETURNING id, value`,
      values: [value],
    },
    {
      text: 'UPDATE cells SET value = value + $1 WHERE id = $2 RETURNING id, value',
      values: [value, id],
    },
    {
      text: 'UPDATE cells SET value = value + 1 WHERE id = $1 AND value < $2',
      values: [id, value],
    },
    {
      text: `INSERT INTO cells (id, value) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET value = cells.value + excluded.value RETURNING id, value`,
      values: [id, value],
    },
    {
      text: 'INSERT INTO cells (id, value) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      values: [id, value],
    },
    { text: 'DELETE FROM cells WHERE id = $1 RETURNING id', values: [id] },
    { text: 'SELECT id, value FROM cells ORDER BY id', values: [] },
  ]);
}
