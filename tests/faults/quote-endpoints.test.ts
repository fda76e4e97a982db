import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { parseAddress } from '../../src/swap/model.ts';
import type { Quote } from '../../src/swap/quote/quote.ts';
import { executeQuote, prepareSender, undone } from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { RpcNode } from '../support/lagging-node.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { openRpcServer, type RpcFaults, type RpcServer } from '../support/rpc-server.ts';

const sender = parseAddress('0x00000000000000000000000000000000000057a4');
const trader = parseAddress('0x0000000000000000000000000000000000007ade');
const closers: Array<() => unknown> = [];

let world: World;
/** The same chain except for its last block, which holds another trade. */
let otherWorld: World;

beforeAll(async () => {
  [world, otherWorld] = await Promise.all([openWorld(), openWorld()]);
  // A day ahead of the clock, so that the deadline of a quote follows from its block alone. The deadline affects
  // the gas, since a zero byte in the calldata costs less than others.
  const tomorrow = Math.ceil(Date.now() / 1_000) + 86_400;
  for (const { evm } of [world, otherWorld]) {
    await evm.request({ method: 'evm_mine', params: [tomorrow] });
  }
  for (let block = 0; block < 6; block += 1) await movePrice(world, 60n);
  await movePrice(otherWorld, 90n);
});
afterAll(() => Promise.all([world.close(), otherWorld.close()]));
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(...urls: readonly string[]): Promise<Quotes> {
  return openOn(systemClock, ...urls);
}

async function openOn(clock: Clock, ...urls: readonly string[]): Promise<Quotes> {
  const quotes = await openQuotes({ deployment: ethereum, urls, clock });
  closers.push(quotes.close);
  return quotes;
}

async function openNode(node: RpcNode = world.evm, faults: RpcFaults = {}): Promise<RpcServer> {
  const server = await openRpcServer(node);
  server.misbehave(faults);
  closers.push(server.close);
  return server;
}

const ask = (quotes: Quotes) =>
  quotes.quote({
    tokenIn: world.token('WBTC'),
    tokenOut: world.token('DAI'),
    amountIn: 5n * 10n ** 8n,
    sender,
  });

const truths = new Map<unknown, Promise<Quote>>();

/** The quote by a good endpoint at the current head of the chain. It is asked for once for each head. */
async function askGood({ evm, server }: World = world): Promise<Quote> {
  const head = await evm.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  const { hash } = head as { hash: string };
  const truth = truths.get(hash) ?? open(server.url).then(ask);
  truths.set(hash, truth);
  return truth;
}

/** The figures that follow from the state of the chain, and not from the clock or the endpoint. */
function figuresOf(quote: Quote): string {
  if (quote.status === 'NoRoute') return quote.reason;
  const { blockNumber, amountIn, expectedAmountOut, route, tx } = quote;
  const legs = route.map((leg) => `${leg.pool.slice(0, 6)} ${leg.amountIn}:${leg.amountOut}`);
  const amounts = `block ${blockNumber}: ${amountIn} for ${expectedAmountOut}`;
  return `${amounts}, gas ${tx.gas} at ${tx.gasPrice}, by ${legs.join(', ')}`;
}

async function movePrice({ evm, server, token }: World, ether: bigint): Promise<void> {
  const quotes = await openQuotes({ deployment: ethereum, urls: [server.url] });
  const tokens = { tokenIn: token('WETH'), tokenOut: token('DAI') };
  const quote = await quotes.quote({ ...tokens, amountIn: ether * 10n ** 18n, sender: trader });
  await quotes.close();
  if (quote.status === 'NoRoute') throw new Error(`The price cannot be moved: ${quote.reason}`);
  await prepareSender(evm, quote);
  await executeQuote(evm, quote);
}

/** The node, which calls `happen` before it answers request number `at`. */
function interrupted(node: RpcNode, at: number, happen: () => unknown): RpcNode {
  let requests = 0;
  return {
    async handle(jsonRpc) {
      requests += 1;
      if (requests === at) await happen();
      return node.handle(jsonRpc);
    },
  };
}

/** The node, with every result replaced. */
function answering(replace: (result: unknown) => unknown): RpcNode {
  return {
    async handle(jsonRpc) {
      const answer = JSON.parse(await world.evm.handle(jsonRpc));
      for (const one of Array.isArray(answer) ? answer : [answer]) {
        if (one.result !== undefined) one.result = replace(one.result);
      }
      return JSON.stringify(answer);
    },
  };
}

const faults: Record<string, RpcFaults> = {
  'lies about its chain id': { chainId: 10 },
  'answers text that is no JSON': { instead: 'garbage' },
  'breaks off in its answers': { instead: 'half-body' },
  'answers with errors': { instead: 'server-error' },
  'limits the rate': { instead: 'too-many-requests' },
  hangs: { instead: 'hang' },
};

describe.each(Object.entries(faults))('an endpoint that %s', (_what, fault) => {
  it('is skipped: the quote comes from another one [Q16]', async () => {
    const faulty = await openNode(world.evm, fault);
    const good = await openNode();
    const quotes = await open(faulty.url, good.url);
    expect(figuresOf(await ask(quotes))).toEqual(figuresOf(await askGood()));
  });

  it('ends in UPSTREAM_ERROR where it is the only one [Q2]', async () => {
    const faulty = await openNode(world.evm, fault);
    const clock = createFakeClock();
    // Ten times as fast as the wall clock, so that timeouts of endpoints pass.
    const passing = setInterval(() => clock.advance(100), 10);
    closers.push(() => clearInterval(passing));
    await expect(ask(await openOn(clock, faulty.url))).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      details: { attempts: [{ endpoint: faulty.url }] },
    });
  });

  it('does no harm when it starts failing in the middle of a quote [Q16]', async () => {
    const truth = figuresOf(await askGood());
    for (let at = 1; at <= 4; at += 1) {
      let faulty: RpcServer | undefined;
      const node = interrupted(world.evm, at, () => faulty?.misbehave(fault));
      faulty = await openNode(node);
      const good = await openNode();
      expect(figuresOf(await ask(await open(faulty.url, good.url))), `from ${at}`).toEqual(truth);
    }
  });
});

describe.each<[string, (result: unknown) => unknown]>([
  ['null', () => null],
  ['0x', (result) => (typeof result === 'string' ? '0x' : result)],
  ['a number', () => 7],
  ['half of it', (result) => (typeof result === 'string' ? result.slice(0, 34) : result)],
  ['zeros', (result) => (typeof result === 'string' ? result.replace(/[^x]/g, '0') : result)],
])('an endpoint that answers every question with %s', (_what, replace) => {
  it('leads to the right quote by another, or to UPSTREAM_ERROR [Q2, Q16]', async () => {
    const faulty = await openNode(answering(replace));
    const good = await openNode();
    await expectRightOrUnreachable(await open(faulty.url, good.url));
    await expectRightOrUnreachable(await open(faulty.url));
  });
});

async function expectRightOrUnreachable(quotes: Quotes): Promise<void> {
  const truth = figuresOf(await askGood());
  const outcome = await ask(quotes).then(figuresOf, (error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'UPSTREAM_ERROR' });
  else expect(outcome).toEqual(truth);
}

describe('an endpoint that lags five blocks behind', () => {
  it('is passed over for one that does not [Q16]', async () => {
    const lagging = await openNode(world.evm, { lag: 5 });
    const good = await openNode();
    // On a fake clock the good endpoint answers in time, however busy the machine is.
    const quotes = await openOn(createFakeClock(), lagging.url, good.url);
    expect(figuresOf(await ask(quotes))).toEqual(figuresOf(await askGood()));
  });

  it('is asked where it is the only one, and the quote names its block [Q16]', async () => {
    const { blockNumber: head } = await askGood();
    const lagging = await openNode(world.evm, { lag: 5 });
    expect((await ask(await open(lagging.url))).blockNumber).toBe(head - 5n);
  });
});

describe('an endpoint that dies in the middle of a quote', () => {
  it('is replaced by another of the same chain [Q16]', async () => {
    const truth = figuresOf(await askGood());
    for (let at = 1; at <= 4; at += 1) {
      let dying: RpcServer | undefined;
      dying = await openNode(interrupted(world.evm, at, () => dying?.close()));
      const good = await openNode();
      expect(figuresOf(await ask(await open(dying.url, good.url))), `dies at ${at}`).toEqual(truth);
    }
  });

  it('ends a quote from memory in UPSTREAM_ERROR where it is the only one [Q2]', async () => {
    const dying = await openNode();
    const quotes = await open(dying.url);
    await ask(quotes);
    await dying.close();
    await expect(ask(quotes)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });

  it('gives no quote that mixes two histories [Q16]', async () => {
    const truths = [figuresOf(await askGood()), figuresOf(await askGood(otherWorld))];
    expect(truths[0]).not.toBe(truths[1]);
    for (let at = 1; at <= 4; at += 1) {
      let dying: RpcServer | undefined;
      dying = await openNode(interrupted(otherWorld.evm, at, () => dying?.close()));
      const good = await openNode();
      const quote = await ask(await open(dying.url, good.url));
      expect(truths, `dies at ${at}`).toContain(figuresOf(quote));
    }
  });
});

describe('a node without state overrides', () => {
  /** The node, with `change` applied to calls that have state overrides. */
  function overriding(change: (call: { params: unknown[] }) => unknown): RpcNode {
    return {
      async handle(jsonRpc) {
        const message = JSON.parse(jsonRpc);
        const calls = Array.isArray(message) ? message : [message];
        const answers = await Promise.all(
          calls.map(async (call) => {
            const error = call.params.length > 2 ? change(call) : undefined;
            if (error !== undefined) return { jsonrpc: '2.0', id: call.id, error };
            return JSON.parse(await world.evm.handle(JSON.stringify(call)));
          }),
        );
        return JSON.stringify(Array.isArray(message) ? answers : answers[0]);
      },
    };
  }

  it.each<[string, (call: { params: unknown[] }) => unknown]>([
    ['refuses', () => ({ code: -32602, message: 'too many arguments, want at most 2' })],
    ['ignores', ({ params }) => void params.splice(2)],
  ])(
    'that %s them is quoted on without a trial, says so, and the quote executes [Q11, Q17, F68]',
    async (_how, change) => {
      const node = await openNode(overriding(change));
      const quote = await ask(await open(node.url));
      if (quote.status === 'NoRoute') throw new Error(quote.reason);
      expect(quote.issues).toEqual({ simulationIncomplete: true });
      expect(quote.expectedAmountOut).toBe((await askGoodRouted()).expectedAmountOut);
      await undone(world.evm, async () => {
        await prepareSender(world.evm, quote);
        expect(await executeQuote(world.evm, quote)).toMatchObject({
          succeeded: true,
          received: quote.expectedAmountOut,
        });
      });
    },
  );

  async function askGoodRouted() {
    const quote = await askGood();
    if (quote.status === 'NoRoute') throw new Error(quote.reason);
    return quote;
  }
});

describe('a reorganisation', () => {
  /** Reverts the newest trade and puts a larger one in its place. */
  async function reorganise(snapshot: unknown): Promise<void> {
    await world.evm.request({ method: 'evm_revert', params: [snapshot] });
    await movePrice(world, 150n);
  }

  it.each([
    ['a first quote', false],
    ['a quote from memory', true],
  ])('during %s never mixes two states [Q16]', async (_what, isRemembered) => {
    for (let at = 1; at <= 4; at += 1) {
      const snapshot = await world.evm.request({ method: 'evm_snapshot' });
      await movePrice(world, 30n);
      const before = figuresOf(await askGood());

      let isArmed = false;
      let seen = 0;
      let reorganised: Promise<void> | undefined;
      const node: RpcNode = {
        async handle(jsonRpc) {
          if (isArmed) seen += 1;
          if (isArmed && seen === at) reorganised = reorganise(snapshot);
          // The node answers only once the chain is rebuilt.
          await reorganised;
          return world.evm.handle(jsonRpc);
        },
      };
      const quotes = await open((await openNode(node)).url);
      if (isRemembered) await ask(quotes);
      isArmed = true;
      const quote = figuresOf(await ask(quotes));
      const after = figuresOf(await askGood());
      expect([before, after], `at request ${at}`).toContain(quote);
      if (at === 1) expect(quote).toBe(after);
    }
  });
});
