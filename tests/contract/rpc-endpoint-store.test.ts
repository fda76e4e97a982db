import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import {
  loadRpcEndpoints,
  replaceRpcEndpoints,
  type StoredEndpoint,
} from '../../src/swap/store/rpc-endpoint-store.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('the stored RPC endpoints on $engine [Q9]', ({ createStore }) => {
  test('are loaded as they were stored, for their chain only', async () => {
    const database = await openStore();
    const endpoints = [endpoint('a'), endpoint('b')];
    await replaceRpcEndpoints(database, 2_046_399_126, endpoints);
    await replaceRpcEndpoints(database, 10, [endpoint('c')]);
    expect(await loadRpcEndpoints(database, 2_046_399_126)).toEqual(endpoints);
    expect(await loadRpcEndpoints(database, 1)).toEqual([]);
  });

  test('are replaced by the next list', async () => {
    const database = await openStore();
    await replaceRpcEndpoints(database, 10, [endpoint('a'), endpoint('b')]);
    await replaceRpcEndpoints(database, 10, [endpoint('b'), endpoint('c')]);
    expect((await loadRpcEndpoints(database, 10)).map(({ url }) => url)).toEqual([
      url('b'),
      url('c'),
    ]);
  });

  test('are whole lists also when two processes replace them at once', async () => {
    const database = await openStore();
    const lists = [[endpoint('a'), endpoint('b')], [endpoint('c')]];
    await Promise.all(lists.map((list) => replaceRpcEndpoints(database, 10, list)));
    const stored = await loadRpcEndpoints(database, 10);
    // On PostgreSQL both lists may be stored, but neither of them in part.
    const whole = [...lists, lists.flat()];
    expect(whole.map(urlsOf)).toContainEqual(urlsOf(stored));
  });

  async function openStore(): Promise<Database> {
    const database = await (await createStore()).open();
    await migrate(database, swapMigrations);
    return database;
  }
});

function endpoint(name: string): StoredEndpoint {
  const measured = { errorRate: 0.36, latencyMs: 80.5, headAgeMs: -1_500.25 };
  return { url: url(name), origin: 'chain-list', ...measured, measuredAt: Date.UTC(2026, 0, 1) };
}

const urlsOf = (endpoints: readonly StoredEndpoint[]) => endpoints.map(({ url }) => url).sort();

function url(name: string): string {
  return `https://${name}.example.org`;
}
