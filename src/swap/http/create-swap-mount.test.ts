import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createSwapEdge,
  ether,
  routedQuote,
  sender,
  servedChain,
  swapMountOptions,
  unroutedQuote,
  usdc,
  weth,
} from '../../../tests/support/swap-interface.ts';
import { nativeToken, SwapError, type SwapErrorCode } from '../model.ts';
import type { Quote, QuoteRequest } from '../quote/quote.ts';
import type { SwapUseCases } from '../swap-use-cases.ts';
import { errorEnvelope, successEnvelope, swapResponseData } from './operations/answer-schemas.ts';

const good = {
  tokenIn: nativeToken,
  tokenOut: usdc.address,
  amount: '1000000000000000000',
  sender,
};
const pathOf = (query: Record<string, string> = good) =>
  `/v1/swap/31337?${new URLSearchParams(query)}`;

type Body = {
  data: Record<string, unknown>;
  error: { code: string; message: string; details: Record<string, unknown> };
};

/** Calls the interface over a service that answers with `quote`, and records the requests to that service. */
async function call(path: string, quote: SwapUseCases['quote'] = async () => routedQuote) {
  const asked: QuoteRequest[] = [];
  const { edge, errors } = createSwapEdge({
    useCases: {
      ...swapMountOptions.useCases,
      quote: (request, options) => {
        asked.push(request);
        return quote(request, options);
      },
    },
  });
  const response = await edge.request(path);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Body,
    asked: asked[0],
    errors,
  };
}

const answer = (quote: Quote) => call(pathOf(), async () => quote);

const refuse = (code: SwapErrorCode, details?: Record<string, unknown>) => async () => {
  throw new SwapError(code, `It is ${code}.`, details === undefined ? {} : { details });
};

describe('the parameters of a quote', () => {
  it('reach the service as they were meant [Q1]', async () => {
    const { status, asked } = await call(
      pathOf({ ...good, maxSlippage: '0.01', gasPrice: '0', unknown: 'ignored' }),
    );
    expect(status).toBe(200);
    expect(asked).toEqual({
      chainId: 31337,
      tokenIn: nativeToken,
      tokenOut: usdc.address,
      amountIn: 10n ** 18n,
      maxSlippage: { numerator: 1n, denominator: 100n },
      sender,
      gasPrice: 0n,
    });
  });

  it('take addresses in any letter case, the native token too, and hand them on checksummed', async () => {
    const shouted = (address: string) => `0x${address.slice(2).toUpperCase()}`;
    const { asked } = await call(
      pathOf({
        ...good,
        tokenIn: usdc.address.toLowerCase(),
        tokenOut: shouted(nativeToken),
        sender: shouted(sender),
      }),
    );
    expect(asked).toMatchObject({ tokenIn: usdc.address, tokenOut: nativeToken, sender });
  });

  it.each([[{}], [{ maxSlippage: '' }], [{ maxSlippage: 'null' }]])(
    'default to a slippage of 0.005 with %j [Q2]',
    async (more: Record<string, string>) => {
      const { asked } = await call(pathOf({ ...good, ...more }));
      expect(asked?.maxSlippage).toEqual({ numerator: 5n, denominator: 1000n });
      expect(asked).not.toHaveProperty('gasPrice');
    },
  );

  it('take the largest amount that a token can count', async () => {
    const amount = 2n ** 256n - 1n;
    expect((await call(pathOf({ ...good, amount: `${amount}` }))).asked?.amountIn).toBe(amount);
  });

  it('may exchange the native token for its wrapped form', async () => {
    expect((await call(pathOf({ ...good, tokenOut: weth.address }))).status).toBe(200);
  });

  it('are all named at once where they are bad [Q2]', async () => {
    const { status, body, asked } = await call(
      '/v1/swap/0?tokenIn=0x12&amount=1.5&maxSlippage=2&sender=vitalik.eth&gasPrice=-1',
    );
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('; '),
      details: {
        chainId: 'is "0" but must be a whole number above 0',
        tokenIn: 'is "0x12" but must be 0x and 40 hexadecimal digits',
        tokenOut: 'is required',
        amount: 'is "1.5" but must be digits only, in the smallest unit',
        maxSlippage: 'is "2" but must be a number from 0 to 1, written as in JSON: 0.005 is 0.5 %',
        sender: 'is "vitalik.eth" but must be 0x and 40 hexadecimal digits',
        gasPrice: 'is "-1" but must be digits only, in the smallest unit',
      },
    });
    expect(asked).toBeUndefined();
  });

  it.each([
    ['amount', 'of zero', { amount: '0' }],
    ['amount', 'of many zeros', { amount: '000' }],
    ['amount', 'that is empty', { amount: '' }],
    ['amount', 'above uint256', { amount: `${2n ** 256n}` }],
    ['amount', 'of 79 digits', { amount: '0'.repeat(78) + 1 }],
    ['amount', 'with a sign', { amount: '+1' }],
    ['amount', 'in Arabic digits', { amount: '١' }],
    ['amount', 'with a line break', { amount: '1\n' }],
    ['sender', 'with a capital X', { sender: `0X${sender.slice(2)}` }],
    ['sender', 'with a space', { sender: ` ${sender}` }],
    ['gasPrice', 'that is empty', { gasPrice: '' }],
    ['tokenOut', 'that is the token given', { tokenIn: usdc.address.toLowerCase() }],
    ['tokenOut', 'native for native', { tokenOut: nativeToken.toLowerCase() }],
  ])('refuse a %s %s [Q3]', async (name, _what, more: Record<string, string>) => {
    const { status, body } = await call(pathOf({ ...good, ...more }));
    expect(status).toBe(400);
    expect(body.error.code).toBe('INVALID_PARAMS');
    expect(Object.keys(body.error.details)).toEqual([name]);
  });

  it('report the same token on both sides together with other errors', async () => {
    const { amount: _missing, ...rest } = good;
    const { body } = await call(pathOf({ ...rest, tokenOut: nativeToken }));
    expect(Object.keys(body.error.details)).toEqual(['amount', 'tokenOut']);
  });

  it.each(['tokenIn', 'amount', 'maxSlippage'])('refuse a %s given twice [Q2]', async (name) => {
    const { body } = await call(`${pathOf({ ...good, [name]: '1' })}&${name}=1`);
    expect(body.error.details).toEqual({ [name]: 'is given more than once' });
  });

  it.each(['-1', '1.0', '01', '0x1', 'mainnet', '1e3', '9007199254740993', '%20'])(
    'refuse the chain %s',
    async (chain) => {
      const { body } = await call(`/v1/swap/${chain}?${new URLSearchParams(good)}`);
      expect(Object.keys(body.error.details)).toEqual(['chainId']);
    },
  );

  it('are not parsed on a path with a NUL character', async () => {
    const { status, body } = await call(`/v1/swap/1%00?${new URLSearchParams(good)}`);
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('show no more than the beginning of a long value', async () => {
    const { body } = await call(pathOf({ ...good, sender: 'a'.repeat(5_000) }));
    expect(body.error.message.length).toBeLessThan(200);
  });
});

describe('the answer to a quote', () => {
  it('has every field of the interface and the additions of this server [Q1]', async () => {
    const { status, headers, body } = await answer(routedQuote);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const { rpcUrls, tx, route, ...quote } = routedQuote;
    expect(body).toEqual({
      success: true,
      data: {
        status: 'Successful',
        tokenFrom: ether,
        tokenTo: usdc,
        swapPrice: quote.swapPrice,
        priceImpact: quote.priceImpact,
        amountIn: '1000000000000000000',
        expectedAmountOut: '2990950000',
        minAmountOut: '2975995250',
        tokens: [ether, weth, usdc],
        tx: {
          from: sender,
          to: tx.to,
          data: tx.data,
          value: '1000000000000000000',
          gas: '231000',
          gasPrice: 1_500_000_000,
        },
        rpcUrl: rpcUrls[0],
        rpcUrls: rpcUrls.slice(0, 5),
        route: route.map((leg) => ({
          ...leg,
          amountIn: `${leg.amountIn}`,
          amountOut: `${leg.amountOut}`,
        })),
        blockNumber: '23000000',
        validUntil: '2030-01-01T00:20:00.000Z',
        optimality: {
          upperBound: '2990950020',
          gapBps: 0.00007,
          pools: 22,
          poolsCutOff: 0,
          unreadBps: 31,
          isCutShort: false,
          gasCost: '1230000',
        },
      },
      timestamp: '2030-01-01T00:00:00.000Z',
    });
  });

  it('lists the approvals to send first, and the fee of the parent chain', async () => {
    const approve = { from: sender, to: usdc.address, data: '0x095ea7b3', value: 0n } as const;
    const { body } = await answer({
      ...routedQuote,
      approval: [approve, approve],
      tx: { ...routedQuote.tx, l1Fee: 7n },
    });
    expect(body.data.approval).toEqual([
      { ...approve, value: '0' },
      { ...approve, value: '0' },
    ]);
    expect(body.data.tx).toMatchObject({ l1Fee: '7' });
  });

  it('is 200 for a part of the amount, with amounts and transaction of that part [Q3]', async () => {
    const { status, body } = await answer({ ...routedQuote, status: 'Partial', amountIn: 5n });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'Partial',
      amountIn: '5',
      tx: { from: sender },
    });
  });

  it('is 200 without a route: tokens, endpoints and the reason, no amounts and no transaction [Q3]', async () => {
    const { status, body } = await answer(unroutedQuote);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: 'NoRoute',
      tokenFrom: ether,
      tokenTo: usdc,
      rpcUrl: 'https://rpc1.example/',
      rpcUrls: ['https://rpc1.example/'],
      blockNumber: '23000000',
      reason: 'No pool connects ETH and USDC.',
    });
  });

  it('has no rpcUrl where no endpoint is known', async () => {
    const { body } = await answer({ ...unroutedQuote, rpcUrls: [] });
    expect(body.data).toMatchObject({ rpcUrls: [] });
    expect(body.data).not.toHaveProperty('rpcUrl');
  });

  it('leaves out a price that no number can hold', async () => {
    const { body } = await answer({ ...routedQuote, swapPrice: Infinity, priceImpact: NaN });
    expect(body.data).not.toHaveProperty('swapPrice');
    expect(body.data).not.toHaveProperty('priceImpact');
  });

  it.each([
    ['Successful', routedQuote],
    ['NoRoute', unroutedQuote],
  ])('keeps to its schema when %s [Q1]', async (_status, quote) => {
    const { body } = await answer(quote);
    expect(successEnvelope(swapResponseData).safeParse(body).error).toBeUndefined();
  });
});

describe('an error of the interface', () => {
  it.each([
    ['INVALID_PARAMS', 400],
    ['UNSUPPORTED_CHAIN', 400],
    ['NOT_FOUND', 404],
    ['RATE_LIMITED', 429],
    ['INTERNAL_ERROR', 500],
    ['UPSTREAM_ERROR', 502],
  ] as const)(
    'with the code %s has status %i and the error envelope [Q2]',
    async (code, expected) => {
      const { status, body } = await call(pathOf(), refuse(code, { chains: [1, null] }));
      expect(status).toBe(expected);
      expect(body).toEqual({
        success: false,
        error: { code, message: `It is ${code}.`, details: { chains: [1, null] } },
        timestamp: '2030-01-01T00:00:00.000Z',
      });
      expect(errorEnvelope.safeParse(body).error).toBeUndefined();
    },
  );

  it('has no details where there are none', async () => {
    const { body } = await call(pathOf(), refuse('UPSTREAM_ERROR'));
    expect(body.error).not.toHaveProperty('details');
  });

  it('reveals nothing of an internal error, which is logged [Q2]', async () => {
    const { status, body, errors } = await call(pathOf(), async () => {
      throw new TypeError('https://user:hunter2@rpc.example');
    });
    expect(status).toBe(500);
    expect(body.error.code).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(errorEnvelope.safeParse(body).error).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it.each(['/v1/swap', '/v1/swap/1/2', '/v1/tokens', '/v1/chains/1'])(
    'is NOT_FOUND at %s [Q2]',
    async (path) => {
      const { status, body } = await call(path);
      expect(status).toBe(404);
      expect(body.error.code).toBe('NOT_FOUND');
    },
  );
});

describe('the rate limit', () => {
  const empty = {
    take: async () => ({
      isAllowed: false,
      limit: 600,
      remaining: 0,
      retryAfterSeconds: 4.2,
      resetSeconds: 60,
    }),
  };
  const { limiter: full } = swapMountOptions;

  it('refuses with 429 and says when to come back [Q2]', async () => {
    const { edge } = createSwapEdge({ limiter: empty });
    for (const path of [pathOf(), '/v1/tokens/31337']) {
      const response = await edge.request(path);
      expect(response.status).toBe(429);
      expect(response.headers.get('Retry-After')).toBe('5');
      expect(response.headers.get('RateLimit')).toBe('"quotes";r=0;t=5');
      expect(response.headers.get('RateLimit-Policy')).toBe('"quotes";q=600;w=60');
      expect(await response.json()).toMatchObject({
        success: false,
        error: { code: 'RATE_LIMITED' },
      });
    }
  });

  it('does not count what reads no chain', async () => {
    const { edge } = createSwapEdge({ limiter: empty });
    for (const path of ['/v1/swap/examples', '/v1/chains', '/openapi.json']) {
      expect((await edge.request(path)).status).toBe(200);
    }
  });

  it('states the remaining quota on every quote', async () => {
    const { edge } = createSwapEdge();
    expect((await edge.request(pathOf())).headers.get('RateLimit')).toBe('"quotes";r=599');
  });

  it('takes from the bucket of the subject where a token names one', async () => {
    const keys: string[] = [];
    const authorized = {
      subjectOf: async (request: Request) => request.headers.get('Authorization') ?? undefined,
      limiter: {
        take: async (key: string) => {
          keys.push(key);
          return {
            isAllowed: true,
            limit: 6_000,
            remaining: 5_999,
            retryAfterSeconds: 0,
            resetSeconds: 60,
          };
        },
      },
    };
    const { edge } = createSwapEdge({ limiter: empty, authorized });
    const headers = { Authorization: 'agent' };
    const response = await edge.request(pathOf(), { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('RateLimit-Policy')).toBe('"quotes-with-token";q=6000;w=60');
    expect(keys).toEqual(['agent']);
    expect((await edge.request(pathOf())).status).toBe(429);
    const anonymous = createSwapEdge({ limiter: full, authorized });
    expect((await anonymous.edge.request(pathOf())).status).toBe(200);
    expect(keys).toEqual(['agent']);
  });
});

describe('the operations beside quotes', () => {
  it('lists the chains with their exchanges and routers', async () => {
    const { body } = await call('/v1/chains');
    const { chainId, name, nativeCurrency, rpcUrls, exchanges, routers } = servedChain;
    expect(body.data).toEqual({
      chains: [
        {
          chainId,
          name,
          nativeCurrency,
          rpcUrls,
          routers: [
            { kind: 'swap-router-02', address: routers[0]?.address, dexes: ['uniswap-v2'] },
          ],
          dexes: [
            {
              id: 'uniswap-v2',
              name: 'uniswap-v2',
              kind: 'constant-product',
              factory: exchanges[0]?.factory,
              provenBy: 'contracts',
            },
          ],
        },
      ],
    });
  });

  it('lists the known tokens of a chain', async () => {
    expect((await call('/v1/tokens/31337')).body.data).toEqual({ tokens: [ether, weth, usdc] });
    expect((await call('/v1/tokens/7')).body.error).toMatchObject({
      code: 'UNSUPPORTED_CHAIN',
      details: { chains: [31337] },
    });
    expect((await call('/v1/tokens/x')).body.error.code).toBe('INVALID_PARAMS');
  });

  it('gives samples in four languages that name this server [Q10]', async () => {
    const { body } = await call('/v1/swap/examples');
    const samples = z.record(z.string(), z.string()).parse(body.data.examples);
    expect(Object.keys(samples)).toEqual(['curl', 'typescript', 'python', 'rust']);
    for (const sample of Object.values(samples)) {
      expect(sample).toContain('http://localhost:8787/v1/swap/31337');
    }
  });
});
