import { numberToHex } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openEvm } from '../../src/devchain/evm/open-evm.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import type { Random } from '../../src/kernel/model/random.ts';
import type { SwapError } from '../../src/swap/model.ts';
import type { Fetch } from '../../src/swap/rpc-endpoints/chain-list.ts';
import {
  createRpcDirectory,
  type RpcDirectoryOptions,
} from '../../src/swap/rpc-endpoints/rpc-directory.ts';
import {
  loadRpcEndpoints,
  replaceRpcEndpoints,
  type StoredEndpoint,
} from '../../src/swap/store/rpc-endpoint-store.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openRpcServer } from '../support/rpc-server.ts';
import { healthyNode, type RpcBehaviour, startRpcServer } from '../support/start-rpc-server.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';

const chainId = 10;
const hour = 3_600_000;
const listUrl = 'https://chainid.network/chains.json';

describe('the first question about a chain [Q9]', () => {
  test('sends the first request to the network', async () => {
    const network = createNetwork();
    const directory = await openDirectory({
      fetch: network.fetch,
      registered: ['https://a.example'],
    });
    expect(directory.knownUrls(chainId)).toEqual(['https://a.example']);
    expect(network.asked).toEqual([]);
    await directory.recommendedUrls(chainId);
    expect(network.asked).toContain('https://a.example');
  });

  test('finds the good ones among those that lie, lag, limit or talk nonsense', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const age = (ms: number) => healthyNode(chainId, () => clock.now() - ms);
    await network.serve('https://good.example', age(1_000));
    await network.serve('https://behind.example', age(31_000));
    await network.serve('https://stale.example', age(120_000));
    await network.serve(
      'https://other-chain.example',
      healthyNode(1, () => clock.now()),
    );
    await network.serve('https://limited.example', (_, response) => response.writeHead(429).end());
    await network.serve('https://nonsense.example', (_, response) => response.end('hello'));
    const directory = await openDirectory({
      clock,
      fetch: network.fetch,
      registered: network.urls(),
    });
    await directory.measure(chainId);
    expect(await directory.recommendedUrls(chainId)).toEqual([
      'https://good.example',
      'https://behind.example',
    ]);
    expect(await directory.endpointsOf(chainId)).toEqual([
      'https://good.example',
      'https://behind.example',
      'https://limited.example',
      'https://nonsense.example',
    ]);
  });

  test('does not wait for an endpoint that hangs, nor for the public list', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    await network.serve('https://hangs.example', () => {});
    await network.serve(listUrl, () => {});
    await network.serve(
      'https://good.example',
      healthyNode(chainId, () => clock.now()),
    );
    const registered = ['https://hangs.example', 'https://good.example'];
    const directory = await openDirectory({ clock, fetch: network.fetch, registered });
    expect((await directory.endpointsOf(chainId))[0]).toBe('https://good.example');
  });

  test('waits for the public list where nothing else answers', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    await network.serve(listUrl, listing('https://listed.example', 'https://gone.example'));
    await network.serve(
      'https://listed.example',
      healthyNode(chainId, () => clock.now()),
    );
    const directory = await openDirectory({
      clock,
      fetch: network.fetch,
      registered: ['https://dead.example'],
    });
    expect((await directory.endpointsOf(chainId))[0]).toBe('https://listed.example');
  });

  test('drops endpoints that are no longer listed once they stop answering', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const healthy = healthyNode(chainId, () => clock.now());
    const dead: RpcBehaviour = (_, response) => response.destroy();
    const urls = ['kept', 'ailing', 'dropped', 'gone'].map((name) => `https://${name}.example`);
    await network.serve(listUrl, listing(...urls));
    for (const url of urls) await network.serve(url, healthy);
    const directory = await openDirectory({ clock, fetch: network.fetch });
    expect(await directory.measure(chainId)).toHaveLength(4);

    clock.advance(hour);
    await network.serve(listUrl, listing('https://kept.example', 'https://ailing.example'));
    await network.serve('https://ailing.example', dead);
    await network.serve('https://gone.example', dead);
    const verdicts = (await directory.measure(chainId)).map(({ url, verdict }) => [url, verdict]);
    expect(verdicts).toEqual([
      ['https://kept.example', 'answering'],
      ['https://ailing.example', 'failing'],
      ['https://dropped.example', 'answering'],
    ]);
  });

  test('answers without internet, and tries again a minute later', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const registered = ['https://a.example'];
    const directory = await openDirectory({ clock, fetch: network.fetch, registered });
    expect(await directory.recommendedUrls(chainId)).toEqual(registered);
    await network.serve(
      'https://a.example',
      healthyNode(chainId, () => clock.now()),
    );
    clock.advance(59_999);
    const askedBefore = network.asked.length;
    await directory.recommendedUrls(chainId);
    expect(network.asked).toHaveLength(askedBefore);
    clock.advance(1);
    await directory.recommendedUrls(chainId);
    expect(network.asked.length).toBeGreaterThan(askedBefore);
  });

  test('ends when the caller gives up', async () => {
    const network = createNetwork();
    const server = await network.serve('https://hangs.example', () => {});
    const directory = await openDirectory({ fetch: network.fetch, registered: network.urls() });
    const caller = new AbortController();
    const asking = directory.endpointsOf(chainId, caller.signal);
    await server.received(1);
    caller.abort(new Error('the caller left'));
    await expect(asking).rejects.toThrow('the caller left');
  });

  test('is answered with nothing for a chain that is not served', async () => {
    const directory = await openDirectory({ fetch: createNetwork().fetch });
    expect(await directory.endpointsOf(424242)).toEqual([]);
    expect(directory.knownUrls(424242)).toEqual([]);
  });
});

describe('endpoints of the settings [Q11]', () => {
  test('are used first but not shown when they carry a key', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const secret = 'https://node.example/v3/9aa3d95b3bc440fa88ea12eaa4456161';
    await network.serve(
      secret,
      healthyNode(chainId, () => clock.now()),
    );
    await network.serve(
      'https://open.example',
      healthyNode(chainId, () => clock.now()),
    );
    const registered = ['https://open.example'];
    const directory = await openDirectory({
      clock,
      fetch: network.fetch,
      own: [secret],
      registered,
    });
    expect(await directory.endpointsOf(chainId)).toEqual([secret, 'https://open.example']);
    expect(await directory.recommendedUrls(chainId)).toEqual(['https://open.example']);
  });

  test('come last when they serve another chain, even for the first question', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const release = Promise.withResolvers<void>();
    const wrong = healthyNode(1, () => clock.now());
    await network.serve('http://localhost:8545', (request, response) => {
      void release.promise.then(() => wrong(request, response));
    });
    const open = await network.serve(
      'https://a.example',
      healthyNode(chainId, () => clock.now()),
    );
    const directory = await openDirectory({
      clock,
      fetch: network.fetch,
      own: ['http://localhost:8545'],
      registered: ['https://a.example'],
    });
    const asking = directory.endpointsOf(chainId);
    await open.received(2);
    release.resolve();
    expect(await asking).toEqual(['https://a.example', 'http://localhost:8545']);
  });

  test('are tried anew even if the same one was once found on a list', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const database = await openMigrated();
    const own = 'https://own.example';
    await replaceRpcEndpoints(database, chainId, [stored(own, clock.now())]);
    await network.serve(
      own,
      healthyNode(1, () => clock.now()),
    );
    const directory = await openDirectory({ clock, database, fetch: network.fetch, own: [own] });
    await directory.endpointsOf(chainId);
    expect(directory.known(chainId)).toMatchObject([{ url: own, verdict: 'wrong-chain' }]);
  });

  test('never reach the database', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const own = 'https://own.example';
    await network.serve(
      own,
      healthyNode(chainId, () => clock.now()),
    );
    const database = await openMigrated();
    const directory = await openDirectory({ clock, database, fetch: network.fetch, own: [own] });
    await directory.measure(chainId);
    expect(await directory.endpointsOf(chainId)).toEqual([own]);
    expect(await loadRpcEndpoints(database, chainId)).toEqual([]);
  });
});

test('names the endpoints by their hosts alone, and repeats no text of any endpoint [F44, F99]', async () => {
  const clock = createFakeClock();
  const evm = await openEvm({ chainId: 1 });
  const other = await openRpcServer(evm);
  const talking = await openRpcServer({
    async handle(jsonRpc) {
      const asked = [JSON.parse(jsonRpc)].flat() as { id: unknown; method: string }[];
      const error = { code: -32000, message: `key ${talking.url}/v2/secret-in-text?apikey=s` };
      const answers = asked.map(({ id, method }) =>
        method === 'eth_chainId' ? { id, result: numberToHex(chainId) } : { id, error },
      );
      return JSON.stringify(answers.length === 1 ? answers[0] : answers);
    },
  });
  for (const { close } of [other, talking]) onTestFinished(close);
  const directory = await openDirectory({
    clock,
    fetch,
    own: [`${talking.url}/v2/secret-in-path`, `${other.url}/v3/secret-in-path`],
    registered: ['http://127.0.0.1:1/'],
  });
  const urls = await directory.endpointsOf(chainId);
  const { reader, close } = openChainReader({ urls, chainId, clock });
  onTestFinished(close);
  const failure: SwapError = await reader.latestBlock().then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(failure.details?.attempts).toEqual(
    expect.arrayContaining([
      { endpoint: talking.url, reason: 'error', message: 'JSON-RPC error -32000' },
      {
        endpoint: other.url,
        reason: 'wrong-chain',
        message: expect.stringContaining('chain 1,'),
      },
      { endpoint: 'http://127.0.0.1:1', reason: 'connection', message: expect.any(String) },
    ]),
  );
  const told = JSON.stringify([failure.message, failure.details]);
  expect(told).not.toContain('secret');
});

test('names an own endpoint that serves another chain where no other answers, by its host alone [F44]', async () => {
  const clock = createFakeClock();
  const evm = await openEvm({ chainId: 1 });
  const other = await openRpcServer(evm);
  onTestFinished(other.close);
  const own = `${other.url}/v3/key-in-path`;
  const dead = 'http://127.0.0.1:1/';
  const directory = await openDirectory({ clock, fetch, own: [own], registered: [dead] });
  const urls = await directory.endpointsOf(chainId);
  expect(await directory.recommendedUrls(chainId)).not.toContain(own);
  const { reader, close } = openChainReader({ urls, chainId, clock });
  onTestFinished(close);
  const failure: SwapError = await reader.latestBlock().then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(failure.details).toMatchObject({
    attempts: [
      { endpoint: 'http://127.0.0.1:1', reason: 'connection' },
      { endpoint: other.url, reason: 'wrong-chain', message: expect.stringContaining('chain 1,') },
    ],
  });
  expect(JSON.stringify([failure.message, failure.details])).not.toContain('key-in-path');
});

describe('the last good list [Q9]', () => {
  test('survives a restart, and a network that is away', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const database = await openMigrated();
    await network.serve(listUrl, listing('https://listed.example'));
    await network.serve(
      'https://listed.example',
      healthyNode(chainId, () => clock.now()),
    );
    const first = await openDirectory({ clock, database, fetch: network.fetch });
    await first.measure(chainId);

    for (const _ of ['the next start', 'the one after that']) {
      clock.advance(2 * hour);
      const offline = createNetwork();
      const next = await openDirectory({ clock, database, fetch: offline.fetch });
      expect(await next.recommendedUrls(chainId)).toEqual(['https://listed.example']);
      await next.measure(chainId);
      expect(await next.recommendedUrls(chainId)).toEqual(['https://listed.example']);
    }
  });

  test('is not measured again within the hour', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const database = await openMigrated();
    await network.serve(
      'https://a.example',
      healthyNode(chainId, () => clock.now()),
    );
    const shared = { clock, database, fetch: network.fetch, registered: ['https://a.example'] };
    await (await openDirectory(shared)).measure(chainId);
    const asked = network.asked.length;
    clock.advance(hour - 1);
    expect(await (await openDirectory(shared)).endpointsOf(chainId)).toEqual(['https://a.example']);
    expect(network.asked).toHaveLength(asked);
  });

  test('is read again once the database is there', async () => {
    const database = await openEmpty();
    const directory = await openDirectory({ database, fetch: createNetwork().fetch });
    await expect(directory.endpointsOf(chainId)).rejects.toThrow();
    await migrate(database, swapMigrations);
    expect(await directory.endpointsOf(chainId)).toEqual([]);
  });

  test('that cannot be stored is reported as a problem, and does not fail the caller', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const database = await openMigrated();
    await network.serve('https://a.example', (request, response) => {
      void database.close().then(() => healthyNode(chainId, () => clock.now())(request, response));
    });
    const problems: unknown[] = [];
    const directory = await openDirectory({
      clock,
      database,
      fetch: network.fetch,
      registered: ['https://a.example'],
      onProblem: (problem) => problems.push(problem),
    });
    await directory.measure(chainId);
    expect(await directory.endpointsOf(chainId)).toEqual(['https://a.example']);
    expect(problems).toHaveLength(1);
  });
});

test('the development chain names its own address and believes nothing else [Q9]', async () => {
  const network = createNetwork();
  const database = await openMigrated();
  await replaceRpcEndpoints(database, 31337, [stored('https://old.example', 0)]);
  const shown = 'http://localhost:8787/rpc/31337';
  const own = 'http://quotes:secret@localhost:8787/rpc/31337';
  const directory = createRpcDirectory({
    ...(await defaults({ database, fetch: network.fetch })),
    chains: [{ chainId: 31337, own: [own], registered: [shown], development: true }],
  });
  expect(await directory.endpointsOf(31337)).toEqual([own]);
  expect(await directory.recommendedUrls(31337)).toEqual([shown]);
  expect(directory.knownUrls(31337)).toEqual([shown]);
  expect(network.asked).toEqual([]);
});

describe('the worker [Q9]', () => {
  test.each([
    [0, 0.9 * hour],
    [0.5, hour],
    [0.999, 1.0998 * hour],
  ])(
    'measures again after an hour, give or take a tenth by chance (%d)',
    async (fraction, delay) => {
      const clock = createFakeClock();
      const network = createNetwork();
      const server = await network.serve(
        'https://a.example',
        healthyNode(chainId, () => clock.now()),
      );
      const directory = await openDirectory({
        clock,
        fetch: network.fetch,
        registered: ['https://a.example'],
        random: { ...noRandom, fraction: () => fraction },
      });
      await directory.measure(chainId);
      startWorker(directory.worker);
      const asked = network.asked.length;
      clock.advance(delay - 1);
      await clock.whenAsleep();
      expect(network.asked).toHaveLength(asked);
      clock.advance(60_000);
      await server.received(4);
    },
  );

  test('leaves a chain alone that nobody has asked for in a day', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const server = await network.serve(
      'https://a.example',
      healthyNode(chainId, () => clock.now()),
    );
    const registered = ['https://a.example'];
    const directory = await openDirectory({ clock, fetch: network.fetch, registered });
    await directory.measure(chainId);
    const asked = network.asked.length;
    clock.advance(24 * hour);
    startWorker(directory.worker);
    await clock.whenAsleep();
    expect(network.asked).toHaveLength(asked);
    await directory.endpointsOf(chainId);
    await server.received(4);
  });

  test('aborts a running measurement, and records nothing of it', async () => {
    const clock = createFakeClock();
    const network = createNetwork();
    const database = await openMigrated();
    await network.serve(
      'https://good.example',
      healthyNode(chainId, () => clock.now()),
    );
    const hanging = await network.serve('https://hangs.example', () => {});
    const registered = ['https://good.example', 'https://hangs.example'];
    const directory = await openDirectory({ clock, database, fetch: network.fetch, registered });
    const running = startWorker(directory.worker);
    await directory.endpointsOf(chainId);
    await hanging.received(1);
    await running.stop();
    const verdicts = (await directory.measure(chainId)).map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['answering', 'untried']);
    expect(await loadRpcEndpoints(database, chainId)).toEqual([]);
  });
});

/** A network in which given names resolve to servers on this machine, and other names do not resolve. */
function createNetwork() {
  const servers = new Map<string, string>();
  const asked: string[] = [];
  const reach: Fetch = async (url, init) => {
    asked.push(url);
    const server = servers.get(url);
    if (server === undefined) throw new TypeError('fetch failed');
    return fetch(server, init);
  };
  return {
    fetch: reach,
    asked,
    urls: () => [...servers.keys()],
    async serve(url: string, behaviour: RpcBehaviour) {
      const server = await startRpcServer(behaviour);
      servers.set(url, server.url);
      return server;
    },
  };
}

function stored(url: string, measuredAt: number): StoredEndpoint {
  return { url, origin: 'chain-list', errorRate: 0, latencyMs: 1, headAgeMs: 0, measuredAt };
}

function listing(...rpc: readonly string[]): RpcBehaviour {
  return (_, response) => response.end(JSON.stringify([{ chainId, rpc }]));
}

const noRandom: Random = { bytes: (length) => new Uint8Array(length), fraction: () => 0.5 };

type TestOptions = Partial<Omit<RpcDirectoryOptions, 'chains' | 'database'>> & {
  readonly fetch: Fetch;
  readonly database?: Database;
  readonly own?: readonly string[];
  readonly registered?: readonly string[];
};

async function openDirectory({ own = [], registered = [], ...options }: TestOptions) {
  const directory = createRpcDirectory({
    ...(await defaults(options)),
    chains: [{ chainId, own, registered }],
  });
  onTestFinished(() => directory.worker.run(AbortSignal.abort()));
  return directory;
}

async function defaults({ database, ...options }: TestOptions) {
  return {
    clock: createFakeClock(),
    random: noRandom,
    database: database ?? (await openMigrated()),
    onProblem: failTest,
    ...options,
  };
}

async function openMigrated(): Promise<Database> {
  const database = await openEmpty();
  await migrate(database, swapMigrations);
  return database;
}

async function openEmpty(): Promise<Database> {
  return (await testEngines[0].createStore()).open();
}

function failTest(problem: unknown): void {
  onTestFinished(() => {
    throw problem;
  });
}
