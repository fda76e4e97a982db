import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { parseAddress } from '../../src/swap/model.ts';
import type { RpcNode } from '../support/lagging-node.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

const sender = parseAddress('0x00000000000000000000000000000000000057a4');
const closers: Array<() => unknown> = [];

let world: World;

beforeAll(async () => {
  world = await openWorld({
    deployments: executorBuilds.map(({ deploymentData }) => deploymentData),
  });
});
afterAll(() => world.close());
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Answer = { id: unknown; result?: unknown; error?: unknown };

/** The node, with answers that `change` alters by the method that was asked. */
function lying(change: (method: string, answer: Answer) => void): RpcNode {
  return {
    async handle(jsonRpc) {
      const asked = [JSON.parse(jsonRpc)].flat() as { id: unknown; method: string }[];
      const answers = JSON.parse(await world.evm.handle(jsonRpc));
      for (const answer of [answers].flat() as Answer[]) {
        change(asked.find(({ id }) => id === answer.id)?.method ?? '', answer);
      }
      return JSON.stringify(answers);
    },
  };
}

type Header = {
  number: string;
  hash: string;
  timestamp: string;
  baseFeePerGas?: string | undefined;
};

/** Changes the newest block that a node tells. */
const inventing =
  (invent: (header: Header) => Partial<Header>) => (method: string, answer: Answer) => {
    if (method !== 'eth_getBlockByNumber') return;
    const header = answer.result as Header;
    answer.result = { ...header, ...invent(header) };
  };

const randomHash = () => `0x${randomBytes(32).toString('hex')}`;
const later = (quantity: string, by: number) => `0x${(Number(quantity) + by).toString(16)}`;

async function openNode(node: RpcNode): Promise<RpcServer> {
  const server = await openRpcServer(node);
  closers.push(server.close);
  return server;
}

async function open(...urls: readonly string[]): Promise<Quotes> {
  const quotes = await openQuotes({ deployment: ethereum, urls, clock: systemClock });
  closers.push(quotes.close);
  return quotes;
}

const swap = () => ({ tokenIn: world.token('WBTC'), tokenOut: world.token('DAI') });
const ask = (quotes: Quotes, amountIn = 5n * 10n ** 8n) =>
  quotes.quote({ ...swap(), amountIn, sender });

describe('an endpoint that invents blocks', () => {
  const inventions: Record<string, (header: Header) => Partial<Header>> = {
    'one ahead': ({ number, timestamp }) => ({
      ...{ number: later(number, 1), hash: randomHash(), timestamp: later(timestamp, 12) },
    }),
    'a thousand ahead': ({ number, timestamp }) => ({
      ...{ number: later(number, 1_000), hash: randomHash(), timestamp: later(timestamp, 12_000) },
    }),
    'with a number near 2^256': () => ({ number: `0x${'f'.repeat(64)}` }),
    'with a number near 2^53': () => ({ number: `0x${(2 ** 53 - 1).toString(16)}` }),
    'of a time near 2^256': () => ({ timestamp: `0x${'f'.repeat(64)}` }),
    'of a time that no date has': () => ({ timestamp: '0x20000000000000' }),
  };
  const places = Object.entries(inventions).flatMap(([what, invent]) =>
    [true, false].map((isFirst) => [what, isFirst ? 'first' : 'second', invent] as const),
  );

  it.each(places)(
    '%s and is listed %s does not keep the honest one from answering [F66]',
    async (_what, place, invent) => {
      const honest = await openNode(world.evm);
      const truth = await ask(await open(honest.url));
      const change = inventing(invent);
      const liar = await openNode(
        lying((method, answer) => {
          change(method, answer);
          if (method !== 'eth_call' || !('number' in invent({ ...head }))) return;
          answer.result = undefined;
          answer.error = { code: -32000, message: 'header not found' };
        }),
      );
      const urls = place === 'first' ? [liar.url, honest.url] : [honest.url, liar.url];
      const quotes = await open(...urls);
      const price = await quotes.price({ ...swap(), amountIn: 10n ** 8n });
      expect(price.status).toBe('Successful');
      for (const amountIn of [5n * 10n ** 8n, 10n ** 8n]) {
        const quote = await ask(quotes, amountIn);
        expect(quote.status).toBe('Successful');
        if (amountIn !== 5n * 10n ** 8n) continue;
        expect(quote).toMatchObject({
          expectedAmountOut: 'expectedAmountOut' in truth ? truth.expectedAmountOut : undefined,
        });
      }
    },
  );

  it('leaves the honest one in use when it dies after it named a far number [F66]', async () => {
    const honest = await openNode(world.evm);
    for (const what of ['with a number near 2^256', 'with a number near 2^53']) {
      const liar = await openNode(lying(inventing(inventions[what]!)));
      const quotes = await open(liar.url, honest.url);
      await ask(quotes);
      liar.misbehave({ instead: 'garbage' });
      expect((await ask(quotes, 10n ** 8n)).status).toBe('Successful');
    }
  });

  it('is left out afterwards [F66]', async () => {
    const honest = await openNode(world.evm);
    const change = inventing(inventions['one ahead']!);
    const liar = await openNode(lying(change));
    const quotes = await open(liar.url, honest.url);
    await ask(quotes);
    liar.resetCounts();
    await ask(quotes, 10n ** 8n);
    await ask(quotes, 10n ** 7n);
    expect(liar.requests).toBe(0);
  });
});

describe('an endpoint that lies about the price of gas', () => {
  const pricing = (price: string, invent: (header: Header) => Partial<Header> = () => ({})) =>
    lying((method, answer) => {
      inventing(invent)(method, answer);
      if (method === 'eth_gasPrice') answer.result = price;
    });
  const withoutBaseFee = () => ({ baseFeePerGas: undefined });
  const hex = (wei: number | bigint) => `0x${wei.toString(16)}`;
  const gwei = 10n ** 9n;

  const lies = {
    'ten million gwei': '0x2386f26fc10000',
    '2^256 - 1': `0x${'f'.repeat(64)}`,
    '2^53': '0x20000000000000',
    '600 gwei at a base fee of one': hex(600n * gwei),
    nothing: '0x0',
  };
  it.each(Object.entries(lies))(
    '(%s) is passed over, and named where it is alone [F94]',
    async (_what, price) => {
      const honest = await openNode(world.evm);
      const truth = await ask(await open(honest.url));
      const liar = await openNode(pricing(price));
      const quote = await ask(await open(liar.url, honest.url));
      expect(quote).toMatchObject({ status: 'Successful', tx: { gasPrice: priceOf(truth) } });
      await expect(ask(await open(liar.url))).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        details: {
          attempts: [{ reason: 'garbage', message: expect.stringContaining('gas price') }],
        },
      });
    },
  );

  it('is compared with the others where the chain has no base fee, or it invents one [F94]', async () => {
    const honest = await openNode(pricing(hex(2n * gwei), withoutBaseFee));
    const far = [
      pricing(hex(20n * gwei), withoutBaseFee),
      pricing('0x0', withoutBaseFee),
      pricing(hex(50n * gwei), () => ({ baseFeePerGas: hex(50n * gwei) })),
    ];
    for (const node of far) {
      const liar = await openNode(node);
      const quote = await ask(await open(liar.url, honest.url));
      expect(priceOf(quote)).toBe(2n * gwei);
    }
    // Beside two others a price is too low as well.
    const cheap = await openNode(pricing(hex(gwei), withoutBaseFee));
    const dear = await openNode(pricing(hex(90n * gwei), withoutBaseFee));
    const third = await openNode(pricing(hex(91n * gwei), withoutBaseFee));
    expect(priceOf(await ask(await open(cheap.url, dear.url, third.url)))).toBe(90n * gwei);
  });

  it('never makes a price that the next block refuses of one that fell behind the base fee [F94]', async () => {
    const behind = await openNode(pricing(hex(9n * 10n ** 8n)));
    expect(priceOf(await ask(await open(behind.url)))).toBe(gwei);
  });

  it('takes what gas costs on a chain where it costs more than elsewhere [F94]', async () => {
    const price = 9n * 10n ** 15n;
    const node = await openNode(pricing(hex(price), withoutBaseFee));
    const deployment = { ...ethereum, highestGasPrice: Number.MAX_SAFE_INTEGER };
    const quotes = await openQuotes({ deployment, urls: [node.url], clock: systemClock });
    closers.push(quotes.close);
    expect(priceOf(await ask(quotes))).toBe(price);
  });
});

describe('an endpoint that names a number of the newest block far from the true one', () => {
  const far = () => ({ number: '0x1000000' });

  it('is passed over where it was far higher before, or most others are [F94]', async () => {
    let invented = far();
    const turning = await openNode(lying(inventing(() => invented)));
    const alone = await open(turning.url);
    expect(await newest(alone)).toBe(2n ** 24n);
    invented = { number: '0x1' };
    await expect(newest(alone)).rejects.toMatchObject({
      details: { attempts: [{ message: expect.stringContaining('far from') }] },
    });
    const others = [
      await openNode(lying(inventing(far))),
      await openNode(lying(inventing(far))),
    ].map(({ url }) => url);
    expect(await newest(await open(turning.url, ...others))).toBe(2n ** 24n);
    invented = { number: '0x10000000' };
    expect(await newest(await open(turning.url, ...others))).toBe(2n ** 24n);
  });

  it('does not keep the others from answering [F94]', async () => {
    const low = await openNode(lying(inventing(() => ({ number: '0x1' }))));
    const high = await openNode(lying(inventing(far)));
    const quotes = await open(low.url, high.url);
    await newest(quotes);
    low.misbehave({ instead: 'garbage' });
    expect(await newest(quotes)).toBe(2n ** 24n);
  });
});

async function newest(quotes: Quotes): Promise<bigint> {
  const signal = AbortSignal.timeout(60_000);
  await quotes.chain.open(signal);
  return (await quotes.chain.reader.latestBlock({ signal })).number;
}

const priceOf = (quote: Awaited<ReturnType<Quotes['quote']>>) =>
  'tx' in quote ? quote.tx.gasPrice : undefined;

const head: Header = { number: '0x1', hash: '0x', timestamp: '0x1' };

describe('an endpoint whose calls answer what nobody can decode', () => {
  const garbage: Record<string, (data: string) => string> = {
    'a hundred bytes of 0xff': () => `0x${'ff'.repeat(100)}`,
    'three thousand bytes of 0xff': () => `0x${'ff'.repeat(3_000)}`,
    nothing: () => '0x',
    'half of it': (data) => data.slice(0, 2 + 64 * Math.floor(data.length / 128)),
    'all but its last byte': (data) => data.slice(0, -2),
    '0xff in the place of every fifth byte': (data) =>
      `0x${(data.slice(2).match(/.{1,10}/g) ?? []).map((part) => `ff${part.slice(2)}`).join('')}`,
  };

  it.each(Object.entries(garbage))(
    '(%s) is passed over for one that answers, and named where it is alone [F67]',
    async (_what, spoil) => {
      const honest = await openNode(world.evm);
      const truth = await ask(await open(honest.url));
      let isSpoilt = true;
      const liar = await openNode(
        lying((method, answer) => {
          if (!isSpoilt || method !== 'eth_call' || typeof answer.result !== 'string') return;
          answer.result = spoil(answer.result);
        }),
      );
      const both = await open(liar.url, honest.url);
      const quote = await ask(both);
      expect([quote.status, 'tx' in quote && quote.tx.to]).toEqual([
        truth.status,
        'tx' in truth && truth.tx.to,
      ]);
      const alone = await ask(await open(liar.url)).catch((error: unknown) => error);
      if (alone instanceof Error) {
        expect(alone).toMatchObject({
          code: 'UPSTREAM_ERROR',
          details: { attempts: [{ endpoint: liar.url, reason: expect.any(String) }] },
        });
      }
      // The trial alone, over a market that was read before.
      isSpoilt = false;
      const warm = await open(liar.url);
      await ask(warm);
      isSpoilt = true;
      const failed = await ask(warm).catch((error: unknown) => error);
      if (failed instanceof Error) expect(failed).toMatchObject({ code: 'UPSTREAM_ERROR' });
    },
  );
});
