import { expect, onTestFinished, test, vi } from 'vitest';
import { checkRpc } from '../../src/app/doctor-checks.ts';
import { readJson as readOfIssuer } from '../../src/authorization/guard/issuer-keys.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { createOutboundFetch } from '../../src/kernel/outbound/outbound-fetch.ts';
import { createOutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createUpstreamQuotes } from '../../src/swap/http/upstream-quotes.ts';
import { parseAddress } from '../../src/swap/model.ts';
import { createChainList } from '../../src/swap/rpc-endpoints/chain-list.ts';
import { probeEndpoint } from '../../src/swap/rpc-endpoints/probe-endpoint.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { serveHttp } from '../support/serve-http.ts';

// Everything of this process that reads JSON which somebody else wrote, with what it makes of too much of it.

const clock = systemClock;
const chainId = 1;
const token = parseAddress('0x00000000000000000000000000000000000057a4');

const readers: Record<string, (url: string) => Promise<unknown>> = {
  async 'RPC endpoints that are read'(url) {
    const { reader, close } = openChainReader({ urls: [url] });
    onTestFinished(close);
    return reader.latestBlock();
  },
  'RPC endpoints that are measured': (url) => probeEndpoint({ url, chainId, fetch, clock }),
  'RPC endpoints that doctor checks': (url) => checkRpc(new Map([[chainId, [url]]]), clock),
  'the list of chains': (url) =>
    createChainList({ fetch: (_, init) => fetch(url, init), clock }).endpointsOf(chainId),
  'an upstream server for quotes': (url) =>
    createUpstreamQuotes({ url, fetch, clock }).quote(
      {
        chainId,
        tokenIn: token,
        tokenOut: token,
        amountIn: 1n,
        sender: token,
        maxSlippage: { numerator: 0n, denominator: 1n },
      },
      { signal: new AbortController().signal },
    ),
  'an authorization server, in the guard': (url) => readOfIssuer({ fetch, clock }, url),
  async 'identity providers and discovery documents, which libraries parse'(url) {
    const http = createOutboundHttp({
      allowNetworks: parseNetworks(['loopback']),
      clock,
      limits: { maxResponseBytes: 4 * 1024 * 1024 },
    });
    onTestFinished(http.close);
    return (await createOutboundFetch(http)(url)).json();
  },
};

const depth = 200_000;
const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each(Object.entries(readers))(
  '%s: an answer that is too deep or too much is never parsed [F47]',
  async (_, read) => {
    const bodies = [
      deep,
      `{"jsonrpc":"2.0","id":1,"result":${deep}}`,
      `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"reverted","data":${deep}}}`,
      `[${Array(500_000).fill('{}').join()}]`,
    ];
    let body = '';
    const url = await serveHttp((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json').end(body);
    });
    const parse = vi.spyOn(JSON, 'parse');
    for (body of bodies) {
      await read(url).catch(() => undefined);
      const longest = parse.mock.calls.map(([text]) => String(text).length);
      expect(Math.max(0, ...longest)).toBeLessThan(depth);
    }
  },
);

test('an answer of an RPC endpoint with more names than logs of a block have is never parsed, whatever they name [F100]', async () => {
  const names = (count: number, each: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => each(index)).join();
  const bodies = [
    `{"jsonrpc":"2.0","id":1,"result":{${names(26_000, (index) => `"k${index}":1`)}}}`,
    `{"jsonrpc":"2.0","id":1,"result":[${names(26_000, (index) => `{"k${index}":1}`)}]}`,
  ];
  const parse = vi.spyOn(JSON, 'parse');
  for (const body of bodies) {
    const url = await serveHttp((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json').end(body);
    });
    await readers['RPC endpoints that are read']?.(url).catch(() => undefined);
  }
  expect(Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length))).toBeLessThan(
    100_000,
  );
});
