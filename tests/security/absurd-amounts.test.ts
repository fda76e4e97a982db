import { decodeAbiParameters, type Hex, hexToBytes, parseAbiParameters, size, slice } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Devchain, startDevchain } from '../../src/devchain/index.ts';
import { compiledContracts } from '../../src/swap/chain/contracts/compiled-contracts.ts';
import { defineDeployment } from '../../src/swap/deployments/define-deployment.ts';
import { executorBuilds } from '../../src/swap/index.ts';
import { swapLimits } from '../../src/swap/limits.ts';
import { type Address, nativeToken, parseAddress } from '../../src/swap/model.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

// The chain in its own process, as the server has it, and every amount that has its number of digits.

let devchain: Devchain;
let server: RpcServer;
let quotes: Quotes;
/** How often the process of the chain ended. */
let ends = 0;
/** The words of ticks that each call asked for, since the counts were reset. */
let wordsByCall: number[] = [];

beforeAll(async () => {
  const deployments = executorBuilds.map(({ deploymentData }) => deploymentData);
  devchain = await startDevchain({
    deployments,
    onEnded: () => {
      ends += 1;
    },
  });
  server = await openRpcServer({
    async handle(body) {
      wordsByCall.push(...wordsIn(body));
      const request = new Request('http://localhost/', { method: 'POST', body });
      return (await devchain.handleRpc(request, { isForeignPage: false })).text();
    },
  });
  const source = 'src/devchain';
  const described = devchain.deployment;
  const exchanges = described.exchanges.map((exchange) => ({ ...exchange, source }));
  const executor = {
    kind: 'tradewind' as const,
    address: executorBuilds[0].address,
    exchanges: exchanges.map(({ name }) => name),
  };
  const deployment = defineDeployment({
    ...described,
    rpcUrls: [server.url],
    exchanges,
    routers: [...described.routers, executor].map((router) => ({ ...router, source })),
    source,
  });
  quotes = await openQuotes({ deployment, urls: [server.url] });
});

afterAll(async () => {
  await quotes.close();
  await server.close();
  devchain.close();
});

/** One pair of each kind that tokens and their pools make. */
const pairs = [
  ['ETH', 'USDC'],
  ['USDC', 'WETH'],
  ['USDC', 'DAI'],
  ['WBTC', 'USDT'],
  ['DAI', 'sDAI'],
  ['TAX', 'WETH'],
  ['WETH', 'SCARCE'],
  ['MKR', 'FROZEN'],
  ['LONELY', 'UNI'],
  ['ETH', 'WETH'],
] as const;

/** The greatest amount that callers may write. */
const greatest = 2n ** 256n - 1n;

/** An amount of so many digits, and the greatest of the type for the last. */
function amountOf(digits: number): bigint {
  const amount = BigInt('7310592846'.repeat(8).slice(0, digits));
  return amount > greatest ? greatest : amount;
}

function token(symbol: string): Address {
  if (symbol === 'ETH') return nativeToken;
  const found = devchain.deployment.tokens.find((one) => one.symbol === symbol);
  return parseAddress(found!.address);
}

// Eleven for the input of a given output [Q32], four while more of the pools is read, and two for a token that is taxed.
const mostSearches = 17;
// The head, the tokens, the market, what is read further of it three times, the allowances, and the trials.
const mostRequests = 12;

const largest = { searches: 0, requests: 0, words: 0 };

async function count(ask: () => Promise<{ readonly status: string }>): Promise<void> {
  server.resetCounts();
  wordsByCall = [];
  const before = quotes.searches;
  const { status } = await ask();
  expect(['Successful', 'Partial', 'NoRoute']).toContain(status);
  const cost = {
    searches: quotes.searches - before,
    requests: server.requests,
    words: Math.max(0, ...wordsByCall),
  };
  for (const name of ['searches', 'requests', 'words'] as const) {
    largest[name] = Math.max(largest[name], cost[name]);
  }
}

/**
 * All pairs with all amounts take minutes. An ordinary run asks for a price with each number of digits and for a quote
 * with each third, each of one pair in turn.
 */
const pairsEach = process.env.TEST_RUNS === undefined ? 1 : pairs.length;

test('costs no more however many digits an amount has, and never the chain [F35] [F37]', async () => {
  const sender = parseAddress(devchain.accounts[0]!.address);
  for (let digits = 1; digits <= 78; digits += 1) {
    const amount = amountOf(digits);
    const given = { amountIn: amount };
    const wanted = { amountOut: amount };
    for (let turn = 0; turn < pairsEach; turn += 1) {
      const [from, to] = pairs[(digits + turn) % pairs.length]!;
      const sides = { tokenIn: token(from), tokenOut: token(to) };
      const isOdd = Math.floor((digits + turn) / pairs.length) % 2 === 1;
      await count(() => quotes.price({ ...sides, ...(isOdd ? given : wanted) }));
      if (pairsEach === 1 && digits % 3 !== 0) continue;
      await count(() => quotes.quote({ ...sides, ...(isOdd ? wanted : given), sender }));
    }
  }
  expect(ends).toBe(0);
  expect(largest.words).toBeGreaterThan(swapLimits.tickWords.value);
  expect(largest.words).toBeLessThanOrEqual(swapLimits.tickWordsPerCall.value);
  expect(largest.searches).toBeLessThanOrEqual(mostSearches);
  expect(largest.requests).toBeLessThanOrEqual(mostRequests);
});

/** How many bytes follow the pool's address in a query of each form, of which the last six are how far to read. */
const bytesOfForm: Readonly<Record<number, number>> = { 1: 6, 3: 41, 4: 6, 5: 6, 6: 6 };

/** How many words of ticks each call of `PoolReader.sol` in a message asks for. */
function wordsIn(message: string): number[] {
  const calls: { method: string; params: [{ data?: Hex }] }[] = [JSON.parse(message)].flat();
  return calls.flatMap(({ method, params: [transaction] }) => {
    const data = method === 'eth_call' ? (transaction.data ?? '0x') : '0x';
    if (!data.startsWith(compiledContracts.PoolReader)) return [];
    const input = slice(data, size(compiledContracts.PoolReader));
    const [packed] = decodeAbiParameters(parseAbiParameters('bytes'), input);
    const queries = Buffer.from(hexToBytes(packed));
    let words = 0;
    for (let at = 0; at < queries.length; ) {
      const rest = bytesOfForm[queries[at]!];
      // The other forms read no ticks, and are not mixed with these.
      if (rest === undefined) break;
      at += 21 + rest;
      words += queries.readUInt16BE(at - 6) + queries.readUInt16BE(at - 4);
    }
    return [words];
  });
}
