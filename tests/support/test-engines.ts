import { inject, onTestFinished } from 'vitest';
import type { TestStore } from '../../src/kernel/database/database.contract.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from './create-data-dir.ts';
import {
  copyPostgresDatabase,
  createPostgresDatabase,
  createPostgresSchema,
  dropPostgresDatabase,
} from './create-postgres-database.ts';

/** Both engines, for `describe.each`: every store of the product is tested on each of them. */
export const testEngines = [
  { engine: 'sqlite', createStore: createSqliteStore },
  { engine: 'postgres', createStore: createPostgresStore },
] as const;

/**
 * The same for tests that need the whole schema of the product. PostgreSQL databases have it from the start,
 * since migrations take longer than most of these tests.
 */
export const migratedEngines = [
  { engine: 'sqlite', createStore: createSqliteStore },
  { engine: 'postgres', createStore: createMigratedPostgresStore },
] as const;

async function createSqliteStore(): Promise<TestStore> {
  const dataDir = createDataDir();
  return { open: () => closedWithTest(openDatabase({ dataDir })) };
}

/** One database for the test file: its tests run one after another, each in a schema of its own. */
let fileDatabase: Promise<string> | undefined;

async function createPostgresStore(): Promise<TestStore> {
  fileDatabase ??= createPostgresDatabase(inject('postgresUrl'));
  const url = await createPostgresSchema(await fileDatabase);
  return { open: () => closedWithTest(openDatabase({ dataDir: '', url })) };
}

async function createMigratedPostgresStore(): Promise<TestStore> {
  const url = await copyPostgresDatabase(inject('migratedPostgresUrl'));
  onTestFinished(() => dropPostgresDatabase(url));
  return { open: () => closedWithTest(openDatabase({ dataDir: '', url })) };
}

async function closedWithTest(opening: Promise<Database>): Promise<Database> {
  const database = await opening;
  onTestFinished(() => database.close());
  return database;
}
