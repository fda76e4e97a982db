import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { createRpcTransport } from '../../src/swap/chain/json-rpc/rpc-transport.ts';
import type { ChainDeployment } from '../../src/swap/deployments/deployment.ts';
import type { Price, PriceRequest, Quote, QuoteRequest } from '../../src/swap/quote/quote.ts';
import { priceSwap, quoteSwap } from '../../src/swap/quote/quote-swap.ts';
import { createRpcDirectory } from '../../src/swap/rpc-endpoints/rpc-directory.ts';
import { createServedChain, type ServedChain } from '../../src/swap/served-chain.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';

export type Quotes = {
  readonly chain: ServedChain;
  /** A quote, by default at half a percent of slippage. */
  quote(request: AskedQuote): Promise<Quote>;
  price(request: Omit<PriceRequest, 'chainId'>): Promise<Price>;
  /** Brings the pools in use to the newest block, as the server does in the background. */
  warm(): Promise<void>;
  /** How often a trial received another amount than the arithmetic had computed. */
  readonly differences: number;
  /** How many routes were searched for. */
  readonly searches: number;
  close(): Promise<void>;
};

/** So long that only a hang reaches it. */
const patienceMs = 120_000;

export type AskedQuote = Omit<QuoteRequest, 'chainId' | 'maxSlippage'> & Partial<QuoteRequest>;

/**
 * The quotes of one chain as the server makes them: its reader, pool cache and token directory over
 * these endpoints and no others. The endpoints are taken in their order, without measuring them.
 */
export async function openQuotes(options: {
  deployment: ChainDeployment;
  urls: readonly string[];
  clock?: Clock;
  /** Wraps the database of the quotes. */
  wrap?: (database: Database) => Database;
}): Promise<Quotes> {
  const { deployment, urls, clock = systemClock } = options;
  const { chainId } = deployment;
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-quotes-'));
  const { wrap = (given: Database) => given } = options;
  const database = wrap(await openDatabase({ dataDir }));
  await migrate(database, swapMigrations);
  const transport = createRpcTransport();
  const chain = createServedChain({
    deployment,
    directory: createRpcDirectory({
      chains: [{ chainId, own: urls, registered: urls, development: true }],
      database,
      fetch,
      clock,
      random: systemRandom,
      onProblem: () => {},
    }),
    transport,
    database,
    clock,
    searches: {
      onSearch: () => {
        searches += 1;
      },
    },
  });
  let differences = 0;
  let searches = 0;
  return {
    chain,
    async quote(request) {
      const signal = AbortSignal.timeout(patienceMs);
      return quoteSwap(
        { chainId, maxSlippage: { numerator: 5n, denominator: 1_000n }, ...request },
        {
          chain: await chain.open(signal),
          clock,
          signal,
          onDifference: () => {
            differences += 1;
          },
        },
      );
    },
    async price(request) {
      const signal = AbortSignal.timeout(patienceMs);
      return priceSwap({ chainId, ...request }, { chain: await chain.open(signal), clock, signal });
    },
    async warm() {
      await chain.open(AbortSignal.timeout(patienceMs));
      await chain.pools.advanceTo(await chain.reader.latestBlock());
    },
    get differences() {
      return differences;
    },
    get searches() {
      return searches;
    },
    async close() {
      await transport.destroy();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
