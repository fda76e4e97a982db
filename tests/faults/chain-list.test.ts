import { describe, expect, test } from 'vitest';
import { createChainList, type Fetch } from '../../src/swap/rpc-endpoints/chain-list.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type RpcBehaviour, startRpcServer } from '../support/start-rpc-server.ts';

const hour = 3_600_000;

describe('the public chain list, over a network that fails [Q9]', () => {
  test('is read once an hour, however many ask', async () => {
    const { list, server, clock } = await serve(names('a'));
    expect(await Promise.all([list.endpointsOf(10), list.endpointsOf(10)])).toEqual([
      [url('a')],
      [url('a')],
    ]);
    clock.advance(hour - 1);
    await list.endpointsOf(11);
    expect(server.methods).toHaveLength(1);
    clock.advance(1);
    await list.endpointsOf(10);
    expect(server.methods).toHaveLength(2);
  });

  test.each<[string, RpcBehaviour]>([
    ['refuses', (_, response) => response.writeHead(503).end()],
    ['is garbage', (_, response) => response.end('<html>')],
    ['is another list', (_, response) => response.end('[{"chainId":"ten"}]')],
    ['never ends', endless],
    ['breaks off', (_, response) => response.destroy()],
  ])(
    'keeps the last good one when the next %s, and tries again an hour later',
    async (_, fault) => {
      const answers = [names('a'), fault, names('b')];
      const { list, clock } = await serve((request, response) =>
        answers.shift()?.(request, response),
      );
      expect(await list.endpointsOf(10)).toEqual([url('a')]);
      clock.advance(hour);
      expect(await list.endpointsOf(10)).toEqual([url('a')]);
      expect(await list.endpointsOf(10)).toEqual([url('a')]);
      clock.advance(hour);
      expect(await list.endpointsOf(10)).toEqual([url('b')]);
    },
  );

  test('is empty where there is no network at all', async () => {
    const offline: Fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const list = createChainList({ fetch: offline, clock: createFakeClock() });
    expect(await list.endpointsOf(10)).toEqual([]);
  });

  test('is given up after ten seconds when it hangs', async () => {
    const { list, server, clock } = await serve(() => {});
    const asking = list.endpointsOf(10);
    await server.received(1);
    clock.advance(10_000);
    expect(await asking).toEqual([]);
  });
});

async function serve(behaviour: RpcBehaviour) {
  const clock = createFakeClock();
  const server = await startRpcServer(behaviour);
  return {
    clock,
    server,
    list: createChainList({ fetch: (_, init) => fetch(server.url, init), clock }),
  };
}

function names(name: string): RpcBehaviour {
  return (_, response) => response.end(JSON.stringify([{ chainId: 10, rpc: [url(name)] }]));
}

function url(name: string): string {
  return `https://${name}.example.org`;
}

function endless(...[, response]: Parameters<RpcBehaviour>): void {
  const more = () => {
    while (response.writable && response.write(' '.repeat(1_048_576)));
  };
  response.on('drain', more);
  more();
}
