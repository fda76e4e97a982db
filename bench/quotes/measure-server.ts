import { request } from 'undici';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { mainnetTokens, trades } from '../routing/mainnet-like-pools.ts';
import { units } from '../routing/pool-set.ts';
import { type MeasuredServer, startServer } from '../server/start-server.ts';
import type { SeededChain } from './open-seeded-chain.ts';

export type Trade = (typeof trades)[number];

export type QuoteAnswer = { readonly status: string; readonly expectedAmountOut: string };

/** The server of the product, with no other chain than this one; it writes profiles into the folder PROFILE. */
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

/** `more` units are added to the amount, so that the server has not been asked the same before. */
export async function askQuote(url: string, trade: Trade, more = 0): Promise<QuoteAnswer> {
  const sender = testAccounts[1]?.address ?? '';
  return ask(`${url}/v1/swap/1`, trade, { more, parameters: { sender } });
}

export async function askPrice(url: string, trade: Trade, more = 0): Promise<QuoteAnswer> {
  return ask(`${url}/v1/price/1`, trade, { more });
}

const outputs = new Map<Trade, bigint>();

/** The price by its output, which takes several searches: the dearest that anybody may ask for [Q32]. */
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
    // As good as free, as the peer has it too.
    gasPrice: '1',
  });
  const { statusCode, body } = await request(`${url}?${query}`);
  const answer = (await body.json()) as { data?: QuoteAnswer };
  if (statusCode === 200 && answer.data?.status === 'Successful') return answer.data;
  throw new Error(`No quote of ${amount} ${sold} in ${bought}: ${JSON.stringify(answer)}`);
}

/** Latency of warm quotes one after another, and what of it is not the node's. */
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

/** Quotes a second from so many callers at once, and processor time of the server a quote. */
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

/** Far more than anything else takes, so that what waits for nothing else begins before it is over. */
const delayMs = 400;

/**
 * How many answers of the node a quote waits for one after another: the first quote of a server, which
 * measures its endpoints on the way, one with known endpoints and nothing else, and the same once more.
 */
export async function countRoundTrips(chain: SeededChain) {
  chain.slowDown(delayMs);
  const tripsOf = async ({ url }: MeasuredServer) => {
    const start = performance.now();
    await askQuote(url, ['UNI', 'DAI', 1000]);
    return chain.roundTripsBetween(start, performance.now());
  };
  let first = Number.POSITIVE_INFINITY;
  // The least of some: the server looks for new blocks meanwhile, and that may pass for a step of the quote.
  for (let attempt = 0; attempt < 3; attempt++) {
    const fresh = await serveChain(chain);
    first = Math.min(first, await tripsOf(fresh));
    await fresh.stop();
  }
  const server = await serveChain(chain);
  // Looks for the endpoints of the chain, and reads no pool.
  await (await request(`${server.url}/v1/tokens/1`)).body.dump();
  const cold = await tripsOf(server);
  const warm = await tripsOf(server);
  await server.stop();
  chain.slowDown(0);
  return { first, cold, warm };
}
