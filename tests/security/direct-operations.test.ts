import { request as ask } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSwapMount } from '../../src/swap/http/create-swap-mount.ts';
import { SwapError } from '../../src/swap/model.ts';
import { type Asked, createBothWays } from '../support/create-both-ways.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { sender, swapMountOptions, usdc, weth } from '../support/swap-interface.ts';

const began = Promise.withResolvers<void>();
const hungUp = Promise.withResolvers<unknown>();

/*
 * Quotes and prices are served in two ways: directly from the server's objects, and through the app. Both must answer,
 * log and count the same.
 */
const { answerTo, open } = createBothWays(() => [
  createSwapMount({
    ...swapMountOptions,
    clock: createFakeClock(),
    useCases: {
      ...swapMountOptions.useCases,
      async quote(request, { signal, caller }) {
        if (request.amountIn === 13n) throw new Error('password=hunter2');
        if (request.amountIn === 14n) {
          began.resolve();
          await new Promise((go) => signal.addEventListener('abort', go));
          hungUp.resolve(signal.reason);
        }
        const details = { ...request, amountIn: `${request.amountIn}`, caller, maxSlippage: 0 };
        throw new SwapError('UPSTREAM_ERROR', 'Said what was asked.', { details });
      },
    },
    limiter: {
      take: async (key, cost = 1) => ({
        isAllowed: key !== '127.0.0.2',
        limit: 600,
        remaining: 600 - cost,
        retryAfterSeconds: 7,
        resetSeconds: 60,
      }),
    },
    authorized: {
      subjectOf: async ({ headers }) => headers.get('Authorization') ?? undefined,
      limiter: swapMountOptions.limiter,
    },
  }),
]);

const query = `tokenIn=${weth.address}&tokenOut=${usdc.address}&sender=${sender}&amount=`;
const quote = `/v1/swap/31337?${query}1000`;

const cases: Record<string, Asked> = {
  'a quote': { path: quote },
  'a parameter that comes twice': { path: `${quote}&amount=2` },
  'a parameter that names what all objects have': { path: `${quote}&__proto__=1&constructor=2` },
  'escapes in the query': { path: `${quote}&maxSlippage=0%2e01&dexes=a+b%20c` },
  'a bad escape in the query': { path: `${quote}&maxSlippage=%zz` },
  'a fragment': { path: `${quote}#frag` },
  'a query of odd characters': { path: `${quote}&maxSlippage='"<\\>` },
  'no query': { path: '/v1/swap/31337' },
  'an empty query': { path: '/v1/swap/31337?' },
  'an escape in the path': { path: `/v1/swap/3%31337?${query}1` },
  'a path to be shortened': { path: `/v1/./chains/../swap/31337?${query}1` },
  'a path that ends with a slash': { path: `/v1/swap/31337/?${query}1` },
  'a path that is not there': { path: '/v1/swap/31337/more' },
  'a list': { path: '/v1/chains' },
  'the method HEAD': { method: 'HEAD', path: quote },
  'another method': { method: 'POST', path: quote, body: '' },
  'a token': { path: quote, headers: { Authorization: 'agent' } },
  'a server that forwards': { path: quote, headers: { Via: '1.1 tradewind' } },
  'another host': { path: quote, headers: { Host: 'evil.example' } },
  'a page of another origin': { path: quote, headers: { Origin: 'https://evil.example' } },
  'a preflight': {
    method: 'OPTIONS',
    path: quote,
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
  },
  'an unexpected error': { path: `/v1/swap/31337?${query}13` },
};

describe('both ways to a direct operation answer alike', () => {
  test.each(Object.entries(cases))('%s', async (_, asked) => {
    const direct = await answerTo(asked, { isDirect: true });
    expect(direct).toEqual(await answerTo(asked, { isDirect: false }));
  });
});

test('a quote without a token is answered directly, and one with a token by the app [Q31]', async () => {
  const { url, throughApp } = await open({ isDirect: true });
  const statusOf = async (headers = {}) => (await fetch(url + quote, { headers })).status;
  expect([await statusOf(), throughApp()]).toEqual([502, 0]);
  expect([await statusOf({ Authorization: 'agent' }), throughApp()]).toEqual([502, 1]);
});

test('work for a caller who hangs up is aborted', async () => {
  const { url } = await open({ isDirect: true });
  const request = ask(`${url}/v1/swap/31337?${query}14`);
  request.on('error', () => {});
  request.end();
  await began.promise;
  request.destroy();
  expect(await hungUp.promise).toBe('The caller has hung up.');
});
