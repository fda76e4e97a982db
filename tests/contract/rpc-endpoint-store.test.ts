import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/kernel/database/migrate.ts';
import {
  createRpcEndpointStore,
  type RpcEndpointStore,
  type StoredEndpoint,
} from '../../src/swap/store/rpc-endpoint-store.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('the stored RPC endpoints on $engine [Q9]', ({ createStore }) => {
  test('come back as they were, for their chain alone', async () => {
    const store = await openStore();
    const endpoints = [endpoint('a'), endpoint('b')];
    await store.replace(2_046_399_126, endpoints);
    await store.replace(10, [endpoint('c')]);
    expect(await store.load(2_046_399_126)).toEqual(endpoints);
    expect(await store.load(1)).toEqual([]);
  });

  test('make way for the next list', async () => {
    const store = await openStore();
    await store.replace(10, [endpoint('a'), endpoint('b')]);
    await store.replace(10, [endpoint('b'), endpoint('c')]);
    expect((await store.load(10)).map(({ url }) => url)).toEqual([url('b'), url('c')]);
  });

  test('stay one list when two processes replace it at once', async () => {
    const store = await openStore();
    const lists = [[endpoint('a'), endpoint('b')], [endpoint('b')]];
    await Promise.all(lists.map((list) => store.replace(10, list)));
    const urls = (await store.load(10)).map(({ url }) => url);
    expect(urls).toContain(url('b'));
    expect(new Set(urls).size).toBe(urls.length);
  });

  async function openStore(): Promise<RpcEndpointStore> {
    const database = await (await createStore()).open();
    await migrate(database, swapMigrations);
    return createRpcEndpointStore(database);
  }
});

function endpoint(name: string): StoredEndpoint {
  const measured = { errorRate: 0.36, latencyMs: 80.5, headAgeMs: -1_500.25 };
  return { url: url(name), origin: 'chain-list', ...measured, measuredAt: Date.UTC(2026, 0, 1) };
}

function url(name: string): string {
  return `https://${name}.example.org`;
}
