import { request } from 'undici';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { mainnetTokens, trades } from '../routing/mainnet-like-pools.ts';
import { units } from '../routing/pool-set.ts';
import { type MeasuredServer, startServer } from '../server/start-server.ts';
import type { SeededChain } from './open-seeded-chain.ts';

export type Trade = (typeof trades)[number];

export type QuoteAnswer = { readonly status: string; readonly expectedAmountOut: string };

/** The product's server with this chain alone. If PROFILE names a folder, it writes CPU profiles there. */
export function serveChain({ server }: SeededChain): Promise<MeasuredServer> {
  const folder = process.env.PROFILE;
  const runtimeOptions = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  return startServer({
    runtimeOptions,
    environment: {
      TRADEWIND_CHAINS: '1',
      TRADEWIND_RPC_1: server.url,
      TRADEWIND_RATE_LIMIT: '10000000',
    },
  });
}

/** Adds `more` units to the amount, so that it is new to the server. */
export async function askQuote(url: string, trade: Trade, more = 0): Promise<QuoteAnswer> {
  const sender = testAccounts[1]?.address ?? '';
  return ask(`${url}/v1/swap/1`, trade, { more, parameters: { sender } });
}

export async function askPrice(url: string, trade: Trade, more = 0): Promise<QuoteAnswer> {
  return ask(`${url}/v1/price/1`, trade, { more });
}

const outputs = new Map<Trade, bigint>();

/** A price for an exact output. It takes several searches, so it is the most expensive request that anyone may make [Q32]. */
export async function askOutput(url: string, trade: Trade, more = 0): Promise<QuoteAnswer> {
  const known = outputs.get(trade) ?? BigInt((await askPrice(url, trade)).expectedAmountOut);
  outputs.set(trade, known);
  return ask(`${url}/v1/price/1`, trade, {
    more,
    parameters: { amountOut: `${known - BigInt(more)}` },
  });
}

async function ask(
  url: string,
  [sold, bought, amount]: Trade,
  { more, parameters }: { more: number; parameters?: Readonly<Record<string, string>> },
): Promise<QuoteAnswer> {
  const query = new URLSearchParams({
    tokenIn: mainnetTokens[sold].address,
    tokenOut: mainnetTokens[bought].address,
    ...(parameters?.amountOut
      ? {}
      : { amount: String(units(mainnetTokens[sold], amount) + BigInt(more)) }),
    ...parameters,
    // Gas is almost free, as it is for the peer.
    gasPrice: '1',
  });
  const { statusCode, body } = await request(`${url}?${query}`);
  const answer = (await body.json()) as { data?: QuoteAnswer };
  if (statusCode === 200 && answer.data?.status === 'Successful') return answer.data;
  throw new Error(`No quote of ${amount} ${sold} in ${bought}: ${JSON.stringify(answer)}`);
}

/** Latency of warm quotes one after another, in total and without the time of the node. */
export async function measureLatency(url: string, chain: SeededChain, rounds: number) {
  const total: number[] = [];
  const beyondNode: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const trade of trades) {
      const start = performance.now();
      await askQuote(url, trade);
      const end = performance.now();
      total.push(end - start);
      beyondNode.push(end - start - chain.nodeTimeBetween(start, end));
    }
  }
  return { total, beyondNode };
}

/** Quotes a second with this many concurrent callers, and the server's processor time per quote. */
export async function measureRate(
  server: MeasuredServer,
  { callers, rounds }: { callers: number; rounds: number },
) {
  const waiting = Array.from({ length: rounds }, () => trades).flat();
  const quotes = waiting.length;
  const cpuBefore = server.readCpuMs();
  const start = performance.now();
  const call = async () => {
    for (let trade = waiting.pop(); trade; trade = waiting.pop()) await askQuote(server.url, trade);
  };
  await Promise.all(Array.from({ length: callers }, call));
  const seconds = (performance.now() - start) / 1_000;
  return { perSecond: quotes / seconds, cpuMs: (server.readCpuMs() - cpuBefore) / quotes };
}

/** Far longer than any other step, so that all requests that do not depend on an answer start before it arrives. */
const delayMs = 400;

/**
 * How many sequential round trips to the node a quote needs: the first quote of a server, which also measures its
 * endpoints; a cold quote, when only the endpoints are known; and a warm quote, the same request again.
 */
export async function countRoundTrips(chain: SeededChain) {
  chain.slowDown(delayMs);
  const tripsOf = async ({ url }: MeasuredServer) => {
    const start = performance.now();
    await askQuote(url, ['UNI', 'DAI', 1000]);
    return chain.roundTripsBetween(start, performance.now());
  };
  let first = Number.POSITIVE_INFINITY;
  // The least of three: the server also polls for new blocks, and a poll may look like a step of the quote.
  for (let attempt = 0; attempt < 3; attempt++) {
    const fresh = await serveChain(chain);
    first = Math.min(first, await tripsOf(fresh));
    await fresh.stop();
  }
  const server = await serveChain(chain);
  // This request makes the server measure the chain's endpoints, but read no pool.
  await (await request(`${server.url}/v1/tokens/1`)).body.dump();
  const cold = await tripsOf(server);
  const warm = await tripsOf(server);
  await server.stop();
  chain.slowDown(0);
  return { first, cold, warm };
}
