import { describe, expect, test } from 'vitest';
import { probeEndpoint } from '../../src/swap/rpc-endpoints/probe-endpoint.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { healthyNode, type RpcBehaviour, startRpcServer } from '../support/start-rpc-server.ts';

const chainId = 10;

describe('a probe of an RPC endpoint [Q9]', () => {
  test('gives the time until both calls are answered and the age of the newest block', async () => {
    const clock = createFakeClock();
    const healthy = healthyNode(chainId, () => clock.now() - 14_000);
    const server = await startRpcServer((request, response) => {
      if (request.method === 'eth_getBlockByNumber') clock.advance(1_000);
      healthy(request, response);
    });
    const outcome = await probeEndpoint({ url: server.url, chainId, fetch, clock });
    expect(outcome).toEqual({ answered: true, latencyMs: 1_000, headAgeMs: 14_000 });
  });

  test('detects an endpoint that serves another chain', async () => {
    const server = await startRpcServer(healthyNode(1, () => 0));
    expect(await probe(server.url)).toEqual({ answered: false, reason: 'wrong-chain' });
  });

  test('does not wait for one that never answers', async () => {
    const clock = createFakeClock();
    const server = await startRpcServer(() => {});
    const probing = probeEndpoint({ url: server.url, chainId, fetch, clock });
    await server.received(1);
    clock.advance(3_000);
    expect(await probing).toEqual({ answered: false, reason: 'timed-out' });
  });

  test('does not wait for the rest of an answer either', async () => {
    const clock = createFakeClock();
    const server = await startRpcServer((_, response) => response.write('{"jsonrpc":'));
    const probing = probeEndpoint({ url: server.url, chainId, fetch, clock });
    await server.received(1);
    clock.advance(3_000);
    expect(await probing).toEqual({ answered: false, reason: 'timed-out' });
  });

  test('ends with the signal it was given', async () => {
    const server = await startRpcServer(() => {});
    const stop = new AbortController();
    const clock = createFakeClock();
    const probing = probeEndpoint({ url: server.url, chainId, fetch, clock, signal: stop.signal });
    await server.received(1);
    stop.abort();
    expect(await probing).toEqual({ answered: false, reason: 'unreachable' });
  });

  test.each<[string, RpcBehaviour, string]>([
    ['limits rates', status(429), 'rate-limited'],
    ['fails', status(500), 'refused'],
    ['wants a key', status(401), 'refused'],
    ['hangs up', (_, response) => response.destroy(), 'unreachable'],
    ['answers with a page', text('<html>Welcome</html>'), 'not-json-rpc'],
    ['answers with an error', text('{"id":1,"error":{"code":-32000}}'), 'not-json-rpc'],
    ['answers with null', text('null'), 'not-json-rpc'],
    ['answers with a chain id that is no quantity', text('{"result":10}'), 'not-json-rpc'],
    ['answers without end', endless, 'not-json-rpc'],
  ])('says of one that %s what is wrong', async (_, behaviour, reason) => {
    const server = await startRpcServer(behaviour);
    expect(await probe(server.url)).toEqual({ answered: false, reason });
  });

  test('follows no redirect of an endpoint', async () => {
    const other = await startRpcServer(healthyNode(chainId, () => 0));
    const server = await startRpcServer((_, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    expect(await probe(server.url)).toEqual({ answered: false, reason: 'unreachable' });
    expect(other.methods).toEqual([]);
  });

  test('reports an endpoint that refuses connections as unreachable', async () => {
    expect(await probe('http://127.0.0.1:1')).toEqual({ answered: false, reason: 'unreachable' });
  });
});

function probe(url: string) {
  return probeEndpoint({ url, chainId, fetch, clock: createFakeClock() });
}

function status(code: number): RpcBehaviour {
  return (_, response) => response.writeHead(code).end('no');
}

function text(body: string): RpcBehaviour {
  return (_, response) => response.end(body);
}

function endless(...[, response]: Parameters<RpcBehaviour>): void {
  const more = () => {
    while (response.writable && response.write('9'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}
