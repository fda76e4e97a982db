import { encodeFunctionData, erc20Abi, type Hex, isAddress, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import type { ChainDeployment, Router } from '../../src/swap/deployments/deployment.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { Quote, RoutedQuote } from '../../src/swap/quote/quote.ts';
import { createDice } from '../support/dice.ts';
import {
  balanceOf,
  type Execution,
  executeQuote,
  prepareSender,
  succeedsWith,
  undone,
} from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openTestEvm } from '../support/open-test-evm.ts';
import { addOtherKinds, deployRandomExchanges, giveShares } from '../support/random-exchanges.ts';
import { addRandomMarket, type RandomMarket } from '../support/random-market.ts';
import { drawRequest, type RandomRequest, readySender } from '../support/random-quote.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';

/** How many quotes are executed: 10,000 are the proof; the default is a quick check. */
const quoteCount = Number(process.env.TEST_QUOTES ?? 48);
/** Few enough that every set of routers gets a market. */
const quotesPerMarket = Math.min(25, Math.ceil(quoteCount / 8));
/** One in so many quotes is also executed after another trade has moved the price. */
const movedPriceEvery = 4;
/** On a busy machine a quote takes several seconds if a node in this process reads a pool to its end. */
const timeout = 300_000 + quoteCount * 2_000;

type Answered = { readonly label: string; readonly request: RandomRequest; readonly quote: Quote };

type Routed = { readonly label: string; readonly quote: RoutedQuote };

type Executed = Answered &
  Routed & {
    readonly execution: Execution;
    /** Whether it also succeeds with a gas limit that `tx.gas` exceeds by more than a tenth. */
    readonly isGasWasted: boolean;
    readonly leftInRouter: bigint;
    /** The router's remaining allowances to the pools of the route, summed over its tokens. */
    readonly leftAllowed: bigint;
  };

type Overtaken = Routed & {
  /** What the transaction would receive without a minimum. */
  readonly wouldReceive: bigint;
  readonly execution: Execution;
};

let evm: Evm;
let server: RpcServer;
const answered: Answered[] = [];
const executed: Executed[] = [];
const overtaken: Overtaken[] = [];
const dice = createDice(createSeededFractions(Number(process.env.TEST_SEED ?? 5)));
/** A long run reports its progress after so many quotes. */
const progressEvery = 500;

beforeAll(async () => {
  evm = await openTestEvm({ chainId: 1 });
  await deployUniswap(evm);
  server = await openRpcServer(evm);
  for (let number = 0; executed.length < quoteCount / 2; number += 1) {
    const name = `M${number}`;
    const market = await addRandomMarket(evm, { name, dice });
    await tradeOnMarket(number, { name, market, exchanges: uniswap, routerSets: foreignRouters });
  }
  for (const { deploymentData } of executorBuilds) await deployByCreate2(evm, deploymentData);
  const shared = await deployRandomExchanges(evm);
  for (let number = 0; executed.length < quoteCount; number += 1) {
    const name = `E${number}`;
    const { tokens, baseTokens } = await addRandomMarket(evm, { name, dice, dollars: 1 });
    // Concentrated pools and vaults cannot hold tokens that tax transfers.
    const untaxed = tokens.filter(({ kind }) => kind !== 'taxed');
    const others = await addOtherKinds(evm, { name, dice, exchanges: shared, tokens: untaxed });
    await tradeOnMarket(number, {
      name,
      market: { baseTokens, tokens: [...tokens, others.share] },
      exchanges: [...uniswap, ...others.exchanges],
      routerSets: ownRouters,
    });
  }
}, timeout);
afterAll(async () => {
  await server.close();
  evm.close();
});

const uniswap = ethereum.exchanges.filter(({ name }) =>
  ['uniswap-v2', 'uniswap-v3'].includes(name),
);

const swapRouter02 = ethereum.routers[0]!;
const v2Router: Router = {
  kind: 'v2-router',
  address: parseAddress(uniswapDeployment.constantProductRouter),
  exchanges: ['uniswap-v2'],
  source: 'src/devchain',
};

const [executor, storageExecutor] = executorBuilds.map(
  ({ name, address }): Router => ({
    kind: 'tradewind',
    address,
    exchanges: [
      ...uniswap.map((exchange) => exchange.name),
      ...['pancakeswap-v3', 'uniswap-v4', 'algebra', 'solidly', 'curve', 'erc4626'],
    ],
    source: name,
  }),
) as [Router, Router];

/** Routers differ by chain: one router knows all pools, two share them, or one knows pairs only. */
const foreignRouters: readonly (readonly Router[])[] = [
  [swapRouter02],
  [swapRouter02, v2Router],
  [{ ...swapRouter02, exchanges: ['uniswap-v3'] }, v2Router],
  [v2Router],
];

/** On a chain with either build of our own executor, it executes everything. */
const ownRouters: readonly (readonly Router[])[] = [
  [executor, swapRouter02],
  [storageExecutor, v2Router],
];

async function tradeOnMarket(
  number: number,
  options: {
    readonly name: string;
    readonly market: RandomMarket;
    readonly exchanges: ChainDeployment['exchanges'];
    readonly routerSets: readonly (readonly Router[])[];
  },
): Promise<void> {
  const { name, market, exchanges, routerSets } = options;
  const deployment: ChainDeployment = {
    ...ethereum,
    exchanges,
    routers: routerSets[number % routerSets.length]!,
    baseTokens: market.baseTokens.map(({ address }) => address),
  };
  // On a fake clock the reader gives up no endpoint, however busy the machine is.
  const clock = createFakeClock(Date.now());
  const quotes = await openQuotes({ deployment, urls: [server.url], clock });
  for (let index = 0; index < quotesPerMarket; index += 1) {
    await trade(quotes, { market, deployment, label: `${name}.${index}` });
  }
  await quotes.close();
}

async function trade(
  quotes: Quotes,
  options: { market: RandomMarket; deployment: ChainDeployment; label: string },
): Promise<void> {
  const { market, deployment, label } = options;
  const request = drawRequest(market, dice, answered.length);
  const { address: vault, asset } = request.input;
  if (asset !== undefined) {
    await giveShares(evm, { vault, asset, holder: request.sender, amount: request.amountIn });
  }
  await readySender(evm, { request, routers: deployment.routers });
  // Mostly the quote itself has to find out that its cached pools are of an older block.
  if (dice.fraction() < 0.2) await quotes.warm();
  const { tokenIn, tokenOut, amountIn, maxSlippage, sender } = request;
  const quote = await quotes.quote({ tokenIn, tokenOut, amountIn, maxSlippage, sender });
  answered.push({ label, request, quote });
  if (quote.status === 'NoRoute') return;
  await prepareSender(evm, quote);
  if (executed.length % movedPriceEvery === 0 && asset === undefined)
    await overtake(quotes, { label, quote });
  // The greatest limit that `tx.gas` exceeds by more than a tenth.
  const wasteful = (quote.tx.gas * 10n - 1n) / 11n;
  const isGasWasted = await succeedsWith(evm, quote, wasteful);
  const execution = await executeQuote(evm, quote);
  const leftInRouter = await holdingsOf(quote);
  const leftAllowed = await allowancesOf(quote);
  executed.push({ label, request, quote, execution, isGasWasted, leftInRouter, leftAllowed });
  if (executed.length % progressEvery === 0) console.log(`${executed.length} quotes executed`);
}

/** Sends the transaction after a rival's swap of the same pair and random size, and reverts the chain. */
async function overtake(quotes: Quotes, { label, quote }: Routed): Promise<void> {
  const indifferent = withoutMinimum(quote);
  if (indifferent === undefined) return;
  const rival = await quotes.quote({
    tokenIn: quote.tokenFrom.address,
    tokenOut: quote.tokenTo.address,
    amountIn: BigInt(Math.ceil(Number(quote.amountIn) * dice.magnitude(0.001, 3))),
    sender: parseAddress(numberToHex(0x417a1n, { size: 20 })),
  });
  if (rival.status === 'NoRoute') return;
  await undone(evm, async () => {
    await prepareSender(evm, rival);
    await executeQuote(evm, rival);
    const { received: wouldReceive } = await undone(evm, () => executeQuote(evm, indifferent));
    const execution = await executeQuote(evm, withAmpleGas(quote));
    overtaken.push({ label, quote, wouldReceive, execution });
  });
}

/** The same swap with a minimum of zero; undefined if the calldata does not hold the minimum exactly once. */
function withoutMinimum(quote: RoutedQuote): RoutedQuote | undefined {
  // The executor's programs hold the minimum in sixteen bytes; in other calldata these are the lower half of a word.
  const word = numberToHex(quote.minAmountOut, { size: 16 }).slice(2);
  const parts = quote.tx.data.split(word);
  const isWrapping = quote.route.length === 0;
  if (parts.length !== 2 || quote.minAmountOut === 0n || isWrapping) return undefined;
  const data = parts.join('0'.repeat(32)) as typeof quote.tx.data;
  return withAmpleGas({ ...quote, tx: { ...quote.tx, data } });
}

/** After the price has moved, a swap may need more gas than estimated. These tests do not check that. */
function withAmpleGas(quote: RoutedQuote): RoutedQuote {
  return { ...quote, tx: { ...quote.tx, gas: 15_000_000n } };
}

async function holdingsOf({ tokens, tx }: RoutedQuote): Promise<bigint> {
  if (tx.to === ethereum.wrappedNative) return 0n;
  const addresses = [...tokens.map(({ address }) => address), nativeToken];
  const balances = await Promise.all(addresses.map((token) => balanceOf(evm, token, tx.to)));
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** The allowances that a router has left to pools. There must be none; Uniswap's routers never give any. */
async function allowancesOf({ tokens, route, tx }: RoutedQuote): Promise<bigint> {
  // Pools of Uniswap V4 have no address of their own, and their manager takes nothing by allowance.
  const pools = new Set(route.map(({ pool }) => pool).filter((pool) => isAddress(pool)));
  const contracts = tokens.filter(({ address }) => address !== nativeToken);
  const allowances = await Promise.all(
    contracts.flatMap(({ address }) =>
      [...pools].map(async (pool) => {
        const args = [tx.to, pool] as const;
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args });
        const call = { to: address, data };
        return BigInt((await evm.request({ method: 'eth_call', params: [call, 'latest'] })) as Hex);
      }),
    ),
  );
  return allowances.reduce((sum, allowed) => sum + allowed, 0n);
}

describe('random quotes over random pools', () => {
  it('are executed without a revert [Q14]', () => {
    expect(executed.length).toBeGreaterThanOrEqual(quoteCount);
    const reverted = executed.filter(({ execution }) => !execution.succeeded);
    expect(reverted.map(({ label }) => label)).toEqual([]);
  });

  it('deliver expectedAmountOut to the unit for exactly amountIn [Q13, Q14]', () => {
    for (const { label, quote, execution } of executed) {
      expect({ label, received: execution.received, spent: execution.spent }).toEqual({
        label,
        received: quote.expectedAmountOut,
        spent: quote.amountIn,
      });
    }
  });

  it('have a limit of gas at most a tenth above the least that succeeds [Q8]', () => {
    const wasteful = executed.filter(({ isGasWasted }) => isGasWasted);
    expect(wasteful.map(({ label }) => label)).toEqual([]);
  });

  it('leave nothing in the router, and no allowance [Q20, Q21]', () => {
    const left = executed.filter((one) => one.leftInRouter + one.leftAllowed > 0n);
    expect(left.map(({ label }) => label)).toEqual([]);
  });

  it('state the floor of what is expected less the slippage as the minimum [Q5]', () => {
    for (const { label, request, quote } of executed) {
      const { numerator, denominator } = request.maxSlippage;
      const minimum = (quote.expectedAmountOut * (denominator - numerator)) / denominator;
      expect(quote.minAmountOut, label).toBe(minimum);
    }
  });

  it('are refused by the chain exactly when they would receive less than the minimum [Q5]', () => {
    const refusals = overtaken.filter(({ execution }) => !execution.succeeded);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(overtaken.length);
    for (const { label, quote, wouldReceive, execution } of overtaken) {
      expect(execution.succeeded, label).toBe(wouldReceive >= quote.minAmountOut);
      if (execution.succeeded) expect(execution.received, label).toBe(wouldReceive);
    }
  });

  it('ask for an approval where the allowance is too small, after a reset where the token wants one [Q7, Q15]', () => {
    for (const { label, request, quote } of executed) {
      const { tokenIn, readiness, input } = request;
      const needsNone =
        tokenIn === nativeToken || quote.route.length === 0 || readiness === 'approved enough';
      const hadSome = readiness === 'approved a little' && quote.amountIn > 1n;
      const steps = hadSome && input.kind === 'no-return' ? 2 : 1;
      if (readiness === 'approved a little' && quote.amountIn === 1n) continue;
      expect(quote.approval.length, label).toBe(needsNone ? 0 : steps);
    }
  });

  it('are Partial exactly where less than the amount is taken, and have no route only for want of pools [Q3]', () => {
    for (const { label, request, quote } of answered) {
      if (quote.status === 'NoRoute') {
        expect(quote.reason, label).toMatch(/^No pool connects the two tokens/);
        expect(quote, label).not.toHaveProperty('tx');
      } else {
        const isWhole = quote.amountIn === request.amountIn;
        expect(quote.status, label).toBe(isWhole ? 'Successful' : 'Partial');
      }
    }
  });

  it('have a price impact between 0 and 1, and of 0 in fewer than a tenth [Q4]', () => {
    const impacts = executed
      // A vault has one price for every amount, and no fee.
      .filter(({ quote }) => quote.route.some(({ exchange }) => exchange !== 'erc4626'))
      .map(({ label, quote }) => ({ label, impact: quote.priceImpact }));
    for (const { label, impact } of impacts) {
      expect(impact, label).toBeGreaterThanOrEqual(0);
      expect(impact, label).toBeLessThanOrEqual(1);
    }
    // A route through a mispriced pool gives more than the mid price, and such pools are rare here.
    expect(impacts.filter(({ impact }) => impact === 0).length).toBeLessThan(impacts.length / 10);
  });

  it('are never above the bound that they certify [Q19]', () => {
    for (const { label, quote } of executed) {
      expect(quote.expectedAmountOut, label).toBeLessThanOrEqual(quote.optimality.upperBound + 1n);
    }
  });

  it('cover splits, detours, every kind of pool, odd tokens, ether, wrapping and partial fills [Q18]', () => {
    const is = (test: (one: Executed) => boolean) => executed.filter(test).length;
    const pathsOf = ({ quote }: Executed) => new Set(quote.route.map(({ path }) => path)).size;
    const exchangesOf = ({ quote }: Executed) =>
      new Set(quote.route.map(({ exchange }) => exchange)).size;
    const counts = {
      split: is((one) => pathsOf(one) > 1),
      detour: is((one) => one.quote.route.length > pathsOf(one)),
      bothKinds: is((one) => exchangesOf(one) > 1),
      partial: is(({ quote }) => quote.status === 'Partial'),
      etherIn: is(({ request }) => request.tokenIn === nativeToken),
      etherOut: is(({ request }) => request.tokenOut === nativeToken),
      wrapping: is(({ quote }) => quote.route.length === 0),
      taxedIn: is(({ request }) => request.input.kind === 'taxed'),
      taxedOut: is(({ request }) => request.output.kind === 'taxed'),
      dust: is(({ request }) => request.amountIn < 1_000n),
      v2Router: is(({ quote }) => quote.tx.to === v2Router.address),
      executor: is(({ quote }) => quote.tx.to === executor.address),
      storageExecutor: is(({ quote }) => quote.tx.to === storageExecutor.address),
      ...Object.fromEntries(
        executor.exchanges.map((name) => [
          name,
          is(({ quote }) => quote.route.some(({ exchange }) => exchange === name)),
        ]),
      ),
    };
    if (quoteCount >= progressEvery) console.log(counts);
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  });
});
