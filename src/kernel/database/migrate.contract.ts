import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { type Migration, migrate } from './migrate.ts';
import { sql } from './sql.ts';

const first: Migration = {
  id: '0001-ships',
  statements: ({ identity }) => [
    `CREATE TABLE ships (id ${identity}, name TEXT NOT NULL)`,
    "INSERT INTO ships (name) VALUES ('Cutty Sark')",
  ],
};
const second: Migration = {
  id: '0002-masts',
  statements: () => ['ALTER TABLE ships ADD COLUMN masts BIGINT NOT NULL DEFAULT 3'],
};

/** How migrations bring the schema forward, on either engine. */
export function migrationContract(createStore: () => Promise<{ open(): Promise<Database> }>): void {
  test('are applied in order, each once [H19]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, [first]);
    await migrate(database, [first, second]);
    await migrate(database, [first, second]);
    expect(await database.all(sql`SELECT name, masts FROM ships`)).toEqual([
      { name: 'Cutty Sark', masts: 3 },
    ]);
  });

  test('are applied once by several that start at the same time [H19]', async () => {
    const database = await (await createStore()).open();
    await Promise.all(Array.from({ length: 4 }, () => migrate(database, [first, second])));
    expect(await database.all(sql`SELECT name FROM ships`)).toHaveLength(1);
  });

  test('that fail leave the schema as it was [H17, H19]', async () => {
    const database = await (await createStore()).open();
    const broken: Migration = {
      id: '0003-broken',
      statements: () => ['CREATE TABLE halves (id BIGINT)', 'INSERT INTO absent VALUES (1)'],
    };
    await migrate(database, [first]);
    await expect(migrate(database, [first, second, broken])).rejects.toThrow(/absent/);
    await expect(database.all(sql`SELECT id FROM halves`)).rejects.toThrow(/halves/);
    await migrate(database, [first, second]);
  });

  test('that were edited after they had been applied are refused', async () => {
    const database = await (await createStore()).open();
    await migrate(database, [first, second]);
    const edited = { ...second, statements: () => ['ALTER TABLE ships ADD COLUMN masts BIGINT'] };
    await expect(migrate(database, [first, edited])).rejects.toMatchObject({
      code: 'MIGRATION_REFUSED',
      message: expect.stringContaining('0002-masts was changed'),
    });
  });

  test('of a newer program are refused by an older one [H19]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, [first, second]);
    await expect(migrate(database, [first])).rejects.toMatchObject({
      code: 'MIGRATION_REFUSED',
      message: expect.stringContaining('0002-masts'),
    });
  });

  test('with the same id are refused', async () => {
    const database = await (await createStore()).open();
    await expect(migrate(database, [first, first])).rejects.toThrow(/Two migrations are called/);
  });
}
