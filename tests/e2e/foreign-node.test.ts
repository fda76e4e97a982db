import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { QuoteCall, RoutedQuote } from '../../src/swap/quote/quote.ts';
import { executeQuote, prepareSender, succeedsWith, undone } from '../support/execute-quote.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { openRpcServer } from '../support/rpc-server.ts';
import { serve } from '../support/run-tradewind.ts';

/** A chain with the id of mainnet. The server knows only its RPC endpoint. */
let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const withoutInternet = new URL('../support/without-internet.ts', import.meta.url).href;

function serveMainnet(rpcUrls: string) {
  const environment = { TRADEWIND_RPC_1: rpcUrls, NODE_OPTIONS: `--import=${withoutInternet}` };
  return serve({ environment });
}

type Trade = { from: string; to: string; amount: bigint; sender: number };

async function ask(url: string, { from, to, amount, sender }: Trade) {
  const tokenOf = (symbol: string) =>
    symbol.startsWith('0x') ? symbol : symbol === 'ETH' ? nativeToken : world.token(symbol);
  const query = new URLSearchParams({
    tokenIn: tokenOf(from),
    tokenOut: tokenOf(to),
    amount: amount.toString(),
    sender: testAccounts[sender]!.address,
  });
  const response = await fetch(`${url}/v1/swap/1?${query}`);
  const body = await response.text();
  return { status: response.status, body, ...JSON.parse(body) };
}

type WireCall = { from: string; to: string; data: `0x${string}`; value: string };

/** The parts of the answer that a client needs to execute it. */
function readAnswer(data: {
  status: 'Successful' | 'Partial';
  tokenFrom: RoutedQuote['tokenFrom'];
  tokenTo: RoutedQuote['tokenTo'];
  amountIn: string;
  expectedAmountOut: string;
  tx: WireCall & { gas: string; gasPrice: number };
  approval?: WireCall[];
}): RoutedQuote {
  const readCall = ({ from, to, data, value }: WireCall): QuoteCall => ({
    from: parseAddress(from),
    to: parseAddress(to),
    data,
    value: BigInt(value),
  });
  const { tx, approval = [] } = data;
  const quote = {
    ...data,
    amountIn: BigInt(data.amountIn),
    expectedAmountOut: BigInt(data.expectedAmountOut),
    tx: { ...readCall(tx), gas: BigInt(tx.gas), gasPrice: BigInt(tx.gasPrice) },
    approval: approval.map(readCall),
  };
  return quote as unknown as RoutedQuote;
}

/** The node as if it knew no state overrides, so that no transaction can be tried on it. */
async function openNodeWithoutOverrides() {
  type Message = { readonly id: number; readonly params?: readonly unknown[] };
  return openRpcServer({
    handle: async (text) => {
      const sent: Message | Message[] = JSON.parse(text);
      const answers = [sent].flat().map(async (message) => {
        const { id, params = [] } = message;
        const error = { code: -32602, message: 'too many arguments, want at most 2' };
        if (params.length > 2) return { jsonrpc: '2.0', id, error };
        return JSON.parse(await world.evm.handle(JSON.stringify(message)));
      });
      return JSON.stringify(Array.isArray(sent) ? await Promise.all(answers) : await answers[0]);
    },
  });
}

it('never has too little gas where the node cannot try a transaction [Q49]', async () => {
  const node = await openNodeWithoutOverrides();
  const { url } = await serveMainnet(node.url);
  const dollar = {
    ETH: 10n ** 18n / 3_000n,
    USDC: 10n ** 6n,
    USDT: 10n ** 6n,
    DAI: 10n ** 18n,
    WBTC: 10n ** 8n / 60_000n,
    UNI: 10n ** 18n / 8n,
    MKR: 10n ** 18n / 2_000n,
  };
  const pairs = Object.entries(dollar).flatMap(([from, unit]) =>
    Object.keys(dollar).flatMap((to) => (from === to ? [] : [{ from, to, unit }])),
  );
  let tried = 0;
  const short: string[] = [];
  for (const [index, { from, to, unit }] of pairs.entries()) {
    const amount = unit * ([500n, 20_000n, 700_000n][index % 3] ?? 0n);
    const answer = await ask(url, { from, to, amount, sender: 6 });
    if (answer.data?.status !== 'Successful') continue;
    tried += 1;
    const quote = readAnswer(answer.data);
    await undone(world.evm, async () => {
      await prepareSender(world.evm, quote);
      const { succeeded } = await executeQuote(world.evm, quote);
      if (!succeeded) short.push(`${amount} ${from} for ${to}`);
    });
  }
  expect(tried).toBeGreaterThan(20);
  expect(short).toEqual([]);
  await node.close();
});

// The second run removes Multicall3 from the chain for good, so it must be the last.
describe.each([{ has: 'with' }, { has: 'without' }])(
  'a foreign node $has Multicall3',
  ({ has }) => {
    beforeAll(async () => {
      if (has === 'without') await world.removeMulticall3();
    });

    it('serves quotes that execute on it [Q11, Q14]', async () => {
      const node = await openRpcServer(world.evm);
      const { url } = await serveMainnet(node.url);
      const trades: Trade[] = [
        { from: 'ETH', to: 'USDC', amount: 3n * 10n ** 18n, sender: 0 },
        { from: 'WBTC', to: 'DAI', amount: 5n * 10n ** 8n, sender: 1 },
        { from: 'USDT', to: 'ETH', amount: 20_000n * 10n ** 6n, sender: 2 },
        { from: 'TAX', to: 'MKR', amount: 4n * 10n ** 18n, sender: 3 },
        { from: 'USDC', to: 'SCARCE', amount: 90_000n * 10n ** 6n, sender: 4 },
        { from: 'WETH', to: 'ETH', amount: 10n ** 18n, sender: 5 },
      ];
      await undone(world.evm, async () => {
        for (const trade of trades) {
          const answer = await ask(url, trade);
          expect(answer, answer.body).toMatchObject({ status: 200, success: true });
          const quote = readAnswer(answer.data);
          await prepareSender(world.evm, quote);
          expect(await succeedsWith(world.evm, quote, (quote.tx.gas * 10n - 1n) / 11n)).toBe(false);
          expect(await executeQuote(world.evm, quote), answer.body).toMatchObject({
            succeeded: true,
            received: quote.expectedAmountOut,
            spent: quote.amountIn,
          });
        }
      });
      // A foreign node need not have methods that the JSON-RPC specification of Ethereum lacks.
      expect([...node.calls.keys()].filter((method) => !method.startsWith('eth_'))).toEqual([]);
      await node.close();
    });

    it('answers NoRoute with 200 and names the tokens [Q3]', async () => {
      const { url } = await serveMainnet(world.server.url);
      const trade = { from: 'USDC', to: 'LONELY', amount: 5n, sender: 6 };
      const { status, data } = await ask(url, trade);
      expect(status).toBe(200);
      expect(data).toMatchObject({ status: 'NoRoute', tokenTo: { symbol: 'LONELY' } });
      expect(data).not.toHaveProperty('tx');
    });
  },
);

it('knows the native token in any letter case, and writes it in one [Q6]', async () => {
  const { url } = await serveMainnet(world.server.url);
  const amount = 10n ** 18n;
  for (const native of [`0x${'e'.repeat(40)}`, `0x${'E'.repeat(40)}`]) {
    const { data } = await ask(url, { from: native, to: 'WETH', amount, sender: 7 });
    expect(data).toMatchObject({
      tokenFrom: { address: nativeToken, decimals: 18 },
      amountIn: amount.toString(),
      expectedAmountOut: amount.toString(),
    });
  }
});

it('asks the next endpoint of the setting where the first is dead [Q11]', async () => {
  const { url } = await serveMainnet(`http://127.0.0.1:1,${world.server.url}`);
  const answer = await ask(url, { from: 'ETH', to: 'DAI', amount: 10n ** 18n, sender: 8 });
  expect(answer).toMatchObject({ status: 200, data: { status: 'Successful' } });
});

it('answers 502 where every endpoint is dead, with what was tried and no credentials [Q2]', async () => {
  const dead = ['http://user:pass-word@127.0.0.1:1/path-key', 'http://127.0.0.1:2/?key=query-key'];
  const { url, output } = await serveMainnet(dead.join());
  const answer = await ask(url, { from: 'ETH', to: 'DAI', amount: 10n ** 18n, sender: 9 });
  expect(answer, answer.body).toMatchObject({
    status: 502,
    success: false,
    error: { code: 'UPSTREAM_ERROR', message: expect.stringContaining('TRADEWIND_RPC_1') },
  });
  expect(answer.error.details.attempts).toEqual(
    expect.arrayContaining([
      { endpoint: 'http://127.0.0.1:1', reason: 'connection', message: expect.any(String) },
      { endpoint: 'http://127.0.0.1:2', reason: 'connection', message: expect.any(String) },
    ]),
  );
  const said = [answer.body, ...Object.values(output())].join('\n');
  expect(said).not.toMatch(/pass-word|path-key|query-key/);
});
