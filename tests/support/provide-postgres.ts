import type { TestProject } from 'vitest/node';
import { startPostgres, type TestPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

let server: TestPostgres | undefined;

/** One PostgreSQL server for all test files of a project that asks for it in `vitest.config.ts`. */
export async function setup(project: TestProject): Promise<void> {
  server = await startPostgres();
  project.provide('postgresUrl', server.url);
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
