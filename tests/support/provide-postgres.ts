import type { TestProject } from 'vitest/node';
import { migrations } from '../../src/app/installation/installation-of.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { startPostgres, type TestPostgres } from './start-postgres.ts';
import { withDatabase } from './with-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** A database with the schema of the product. Copying it costs a fifth of running the migrations. */
    migratedPostgresUrl: string;
  }
}

let server: TestPostgres | undefined;

/** One PostgreSQL server for all test files of a project that asks for it in `vitest.config.ts`. */
export async function setup(project: TestProject): Promise<void> {
  server = await startPostgres();
  const migrated = await createPostgresDatabase(server.url);
  await withDatabase({ dataDir: '', url: migrated }, (database) => migrate(database, migrations));
  project.provide('postgresUrl', server.url);
  project.provide('migratedPostgresUrl', migrated);
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
