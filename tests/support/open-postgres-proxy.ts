import { onTestFinished } from 'vitest';
import { type PostgresProxy, startPostgresProxy } from './start-postgres-proxy.ts';

/** A proxy between a server under test and PostgreSQL; it closes with the test. */
export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const proxy = await startPostgresProxy(databaseUrl);
  onTestFinished(proxy.close);
  return proxy;
}
