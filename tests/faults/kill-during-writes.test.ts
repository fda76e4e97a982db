import { expect, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import type { OpenDatabaseOptions } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { type Child, startChild } from '../support/start-child.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testRounds } from '../support/test-rounds.ts';
import { withDatabase } from '../support/with-database.ts';

const script = new URL('children/write-until-killed.ts', import.meta.url);
/** Room for many rounds on a slow machine. */
const timeout = 300_000 + testRounds * 5_000;

test('a killed process loses no acknowledged write and halves no transaction in the file [H15, H17, H20, H22]', {
  timeout,
}, async ({ annotate }) => {
  const options = { dataDir: createDataDir() };
  await createTables(options);
  const fraction = createSeededFractions(1);
  let acknowledged = 0;
  for (let round = 1; round <= testRounds; round++) {
    const child = await writeForAWhile(options, { round, fraction });
    await child.kill();
    acknowledged += await checkWrites(options, child);
    await withDatabase(options, async (database) => {
      const integrity = await database.all(sql`SELECT * FROM pragma_integrity_check`);
      expect(integrity).toEqual([{ integrity_check: 'ok' }]);
    });
  }
  await annotate(`${testRounds} rounds, ${acknowledged} acknowledged writes, none lost`);
});

test('a killed client or server loses no acknowledged write and halves no transaction in PostgreSQL [H15, H17, H22]', {
  timeout,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  try {
    const options = { dataDir: '', url: server.url };
    await createTables(options);
    const fraction = createSeededFractions(2);
    let acknowledged = 0;
    for (let round = 1; round <= testRounds; round++) {
      const child = await writeForAWhile(options, { round, fraction });
      const isServerKilled = round % 4 === 0;
      if (isServerKilled) await server.kill();
      await child.kill();
      if (isServerKilled) await server.restart();
      acknowledged += await checkWrites(options, child);
    }
    await annotate(`${testRounds} rounds, ${acknowledged} acknowledged writes, none lost`);
  } finally {
    await server.stop();
  }
});

function createTables(options: OpenDatabaseOptions): Promise<void> {
  return withDatabase(options, async (database) => {
    await database.run(sql`CREATE TABLE singles (id TEXT PRIMARY KEY)`);
    await database.run(
      sql`CREATE TABLE triples (id TEXT NOT NULL, part BIGINT NOT NULL, PRIMARY KEY (id, part))`,
    );
  });
}

/** Starts a writer and resolves at a random moment, sometimes before its first write. */
async function writeForAWhile(
  options: OpenDatabaseOptions,
  { round, fraction }: { round: number; fraction: () => number },
): Promise<Child> {
  const child = startChild(script, [JSON.stringify(options), `round${round}`]);
  await child.said(Math.floor(fraction() ** 2 * 3_000));
  return child;
}

/** Compares the acknowledged writes with the rows in the database, and returns their number. */
async function checkWrites(options: OpenDatabaseOptions, { lines }: Child): Promise<number> {
  await withDatabase(options, async (database) => {
    const there = new Set(
      await readTexts(database, [
        sql`SELECT 'single ' || id AS text FROM singles`,
        sql`SELECT DISTINCT 'triple ' || id AS text FROM triples`,
      ]),
    );
    expect(lines.filter((line) => !there.has(line))).toEqual([]);
    const halves = await database.all(
      sql`SELECT id, COUNT(*) AS parts FROM triples GROUP BY id HAVING COUNT(*) <> 3`,
    );
    expect(halves).toEqual([]);
    await database.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM singles`);
      await tx.run(sql`DELETE FROM triples`);
    });
  });
  return lines.length;
}

async function readTexts(database: Database, statements: ReturnType<typeof sql>[]) {
  const texts: string[] = [];
  for (const statement of statements) {
    for (const { text } of await database.all<{ text: string }>(statement)) texts.push(text);
  }
  return texts;
}
