import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createUpstreamQuotes } from '../../src/swap/http/upstream-quotes.ts';
import { nativeToken, SwapError } from '../../src/swap/model.ts';
import type { QuoteRequest } from '../../src/swap/quote/quote.ts';
import { serveHttp } from '../support/serve-http.ts';
import {
  openSwapServer,
  routedQuote,
  sender,
  swapMountOptions,
  usdc,
} from '../support/swap-interface.ts';

const upstreamAt = (url: string, clock = systemClock) =>
  createUpstreamQuotes({ url, fetch, clock });

/** A server without deployments, which forwards the requests of every chain to the upstream. */
function openWithout(upstreamUrl: string): Promise<string> {
  return openSwapServer({
    upstream: upstreamAt(upstreamUrl),
    useCases: {
      ...swapMountOptions.useCases,
      quote: async ({ chainId }) => {
        throw new SwapError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not served.`, {
          details: { chains: [] },
        });
      },
    },
  });
}

async function ask(url: string, chainId = 31337, more: Record<string, string> = {}) {
  const query = {
    tokenIn: nativeToken,
    tokenOut: usdc.address,
    amount: `${routedQuote.amountIn}`,
    sender,
    ...more,
  };
  const response = await fetch(`${url}/v1/swap/${chainId}?${new URLSearchParams(query)}`);
  return {
    status: response.status,
    body: (await response.json()) as { error: SwapError; data: object },
  };
}

describe('a chain without deployments here', () => {
  it('is quoted by the upstream, every parameter handed on exactly [Q12]', async () => {
    const asked: QuoteRequest[] = [];
    const upstream = await openSwapServer({
      useCases: {
        ...swapMountOptions.useCases,
        quote: async (request) => {
          asked.push(request);
          return routedQuote;
        },
      },
    });
    const more = { maxSlippage: '0.00123', gasPrice: '5' };
    const { status, body } = await ask(await openWithout(upstream), 31337, more);
    expect(status).toBe(200);
    expect(body.data).toEqual((await ask(upstream)).body.data);
    expect(asked[0]).toEqual({
      chainId: 31337,
      tokenIn: nativeToken,
      tokenOut: usdc.address,
      amountIn: routedQuote.amountIn,
      maxSlippage: { numerator: 123n, denominator: 100_000n },
      sender,
      gasPrice: 5n,
    });
  });

  it('is asked of the upstream in plain digits [Q12]', async () => {
    const asked: string[] = [];
    const upstream = await serveHttp((request, response) => {
      asked.push(String(request.url));
      response.end('{}');
    });
    const more = { fee: '1e-3', feeRecipient: sender };
    await ask(await openWithout(upstream), 31337, more);
    await ask(await openWithout(upstream), 31337, { maxSlippage: '1' });
    expect(asked[0]).toContain('maxSlippage=0.005&');
    expect(asked[0]).toContain('&fee=0.001&');
    expect(asked[1]).toContain('maxSlippage=1&');
  });

  it('keeps what the upstream adds to its answer', async () => {
    const token = { address: usdc.address, symbol: 'USDC', name: 'USD Coin', decimals: 6 };
    const data = { status: 'NoRoute', tokenTo: { ...token, logo: 'x' }, more: [null] };
    const upstream = await serveHttp((_request, response) =>
      response.end(JSON.stringify({ success: true, data, timestamp: new Date().toISOString() })),
    );
    expect((await ask(await openWithout(upstream))).body.data).toEqual(data);
  });

  it('is refused as UNSUPPORTED_CHAIN where the upstream does not serve it either [Q12]', async () => {
    const { status, body } = await ask(await openWithout(await openSwapServer()), 5);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'UNSUPPORTED_CHAIN', details: { chains: [] } });
  });

  it('is not forwarded in a loop', async () => {
    const first = Promise.withResolvers<string>();
    const second = await serveHttp(async (request, response) => {
      const answer = await fetch(`${await first.promise}${request.url}`, {
        headers: { Via: String(request.headers.via) },
      });
      response.writeHead(answer.status).end(await answer.text());
    });
    first.resolve(await openWithout(second));
    const { body } = await ask(await first.promise);
    expect(body.error.code).toBe('UNSUPPORTED_CHAIN');
  });

  it('is a bad request where the upstream says so [Q12]', async () => {
    const upstream = await openSwapServer({
      useCases: {
        ...swapMountOptions.useCases,
        quote: async () => {
          throw new SwapError('INVALID_PARAMS', 'tokenOut is not a token.', {
            details: { tokenOut: 'is not a token' },
          });
        },
      },
    });
    const { status, body } = await ask(await openWithout(upstream));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('tokenOut is not a token.'),
      details: { tokenOut: 'is not a token' },
    });
  });

  it.each([
    ['a fault', 500, '{"success":false}'],
    [
      'a rate limit',
      429,
      '{"success":false,"error":{"code":"RATE_LIMITED","message":"slower"},"timestamp":"2030-01-01T00:00:00Z"}',
    ],
    ['a 400 that is no envelope', 400, 'nonsense'],
    ['no JSON', 200, '<html>'],
    [
      'another JSON',
      200,
      '{"success":true,"data":{"status":"Maybe"},"timestamp":"2030-01-01T00:00:00Z"}',
    ],
  ])('is UPSTREAM_ERROR where the upstream answers %s [Q12]', async (_what, status, text) => {
    const upstream = await serveHttp((_request, response) => response.writeHead(status).end(text));
    const answer = await ask(await openWithout(upstream.replace('//', '//key:hunter2@')));
    expect(answer.status).toBe(502);
    expect(answer.body.error.code).toBe('UPSTREAM_ERROR');
    expect(answer.body.error.message).toContain(new URL(upstream).host);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it('is UPSTREAM_ERROR where the upstream quotes for somebody else [F73]', async () => {
    const upstream = await openSwapServer({
      useCases: {
        ...swapMountOptions.useCases,
        quote: async () => ({ ...routedQuote, tx: { ...routedQuote.tx, from: usdc.address } }),
      },
    });
    const { status, body } = await ask(await openWithout(upstream));
    expect(status).toBe(502);
    expect(body.error.code).toBe('UPSTREAM_ERROR');
    expect(body.error.message).toContain('tx.from');
  });

  it('is told in clean words where the upstream refuses [F73]', async () => {
    const message = `no\u001b[2J${'x'.repeat(5_000)}`;
    const error = { code: 'INVALID_PARAMS', message, details: { amount: message } };
    const timestamp = new Date().toISOString();
    const upstream = await serveHttp((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ success: false, error, timestamp })),
    );
    const { body } = await ask(await openWithout(upstream));
    expect(body.error.code).toBe('INVALID_PARAMS');
    expect(JSON.stringify(body)).not.toMatch(/\\u001b|x{1001}/);
  });

  it('is UPSTREAM_ERROR where the upstream sends us elsewhere', async () => {
    const elsewhere = await openSwapServer();
    const upstream = await serveHttp(({ url }, response) =>
      response.writeHead(302, { Location: `${elsewhere}${url}` }).end(),
    );
    expect((await ask(await openWithout(upstream))).body.error.code).toBe('UPSTREAM_ERROR');
  });

  it('is UPSTREAM_ERROR where nobody listens, without the key in the URL [Q12]', async () => {
    const url = await openWithout('http://user:hunter2@127.0.0.1:1/key-in-path');
    const { status, body } = await ask(url);
    expect(status).toBe(502);
    expect(body.error.message).toContain('could not be reached');
    expect(JSON.stringify(body)).not.toMatch(/hunter2|key-in-path/);
  });

  it('is UPSTREAM_ERROR where the upstream takes too long', async () => {
    const upstream = await serveHttp(() => {});
    const impatient = { ...systemClock, sleep: () => Promise.resolve() };
    const quote = upstreamAt(upstream, impatient).quote(
      {
        chainId: 1,
        tokenIn: nativeToken,
        tokenOut: usdc.address,
        amountIn: 1n,
        maxSlippage: { numerator: 0n, denominator: 1n },
        sender,
      },
      { signal: new AbortController().signal },
    );
    await expect(quote).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('did not answer within 15 seconds'),
    });
  });

  it('sends the credentials of its URL as authorization, below its path', async () => {
    const seen: unknown[] = [];
    const upstream = await serveHttp((request, response) => {
      seen.push(request.headers.authorization, request.url?.split('?')[0]);
      response.end();
    });
    await ask(await openWithout(`${upstream.replace('//', '//us%40er:pa%3Ass@')}/quotes`));
    expect(seen).toEqual([`Basic ${btoa('us@er:pa:ss')}`, '/quotes/v1/swap/31337']);
  });
});
