import { encodeFunctionData, erc20Abi, hexToBigInt, numberToHex, type RpcBlock } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { addAlgebraPool, deployAlgebra } from '../../src/devchain/exchanges/add-other-exchanges.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import type { ChainDeployment } from '../../src/swap/deployments/deployment.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { parseAddress } from '../../src/swap/model.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { createDice } from '../support/dice.ts';
import { prepareSender, send, succeedsWith } from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openTestEvm } from '../support/open-test-evm.ts';
import { describeAlgebra } from '../support/random-exchanges.ts';
import { addRandomMarket, type Pair, planRandomPool } from '../support/random-market.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';

// A pool of Algebra keeps a timepoint for each block with a swap. The first swap of a block searches for the timepoint of a
// day ago. The cost depends on the number of timepoints, so the pool gets a history: it trades, rests, and trades again.
const history = [
  { swaps: 2, restHours: 9 },
  { swaps: 4, restHours: 9 },
  { swaps: 10, restHours: 8 },
  { swaps: 40, restHours: 11 },
  { swaps: 40, restHours: 20 },
];
const quotesAfterEach = 6;

let evm: Evm;
let server: RpcServer;
let quotes: Quotes;
let pair: Pair;
const dice = createDice(createSeededFractions(3));
const [trader, quoter] = [0x7ade4n, 0x9407e4n].map((account) =>
  parseAddress(numberToHex(account, { size: 20 })),
);

beforeAll(async () => {
  evm = await openTestEvm({ chainId: 1 });
  await deployUniswap(evm);
  const executor = executorBuilds[0]!;
  await deployByCreate2(evm, executor.deploymentData);
  const algebra = await deployAlgebra(evm);
  const { tokens } = await addRandomMarket(evm, { name: 'A', dice, dollars: 1 });
  const [one, other] = tokens.filter(({ kind }) => kind === 'ordinary');
  pair = [one!, other!];
  const tier = { fee: 3000, tickSpacing: 60 } as const;
  await addAlgebraPool(evm, algebra, planRandomPool({ pair, tier, dice, isAroundPrice: true }));
  const deployment: ChainDeployment = {
    ...ethereum,
    exchanges: [describeAlgebra(algebra)],
    routers: [
      {
        kind: 'tradewind',
        address: executor.address,
        exchanges: ['algebra'],
        source: 'src/devchain',
      },
    ],
    baseTokens: pair.map(({ address }) => address),
  };
  server = await openRpcServer(evm);
  const clock = createFakeClock(Date.now());
  quotes = await openQuotes({ deployment, urls: [server.url], clock });
}, 120_000);
afterAll(async () => {
  await quotes.close();
  await server.close();
  evm.close();
});

it('quotes have enough gas, and at most a tenth more, in a pool that another trade touched in the same block [Q8, Q14]', async () => {
  for (const account of [trader!, quoter!]) await makeReady(account);
  const limits = [];
  for (const { swaps, restHours } of history) {
    for (let swap = 0; swap < swaps; swap += 1) await swapOnce();
    await rest(restHours);
    for (let index = 0; index < quotesAfterEach; index += 1) {
      await swapOnce();
      const quote = await ask(quoter!);
      const wasteful = (quote.tx.gas * 10n - 1n) / 11n;
      limits.push({
        isEnough: await succeedsWith(evm, quote, quote.tx.gas),
        isWasteful: await succeedsWith(evm, quote, wasteful),
      });
    }
  }
  const count = history.length * quotesAfterEach;
  expect(limits).toEqual(Array(count).fill({ isEnough: true, isWasteful: false }));
}, 120_000);

async function ask(sender: typeof trader & string): Promise<RoutedQuote> {
  const [{ address: tokenIn, decimals }, { address: tokenOut }] = pair;
  const amountIn = 10n ** BigInt(decimals - 3);
  await quotes.warm();
  const quote = await quotes.quote({ tokenIn, tokenOut, amountIn, sender });
  if (quote.status === 'NoRoute') throw new Error('The pool gave no quote.');
  return quote;
}

/** Swaps in a block of its own, twelve seconds after the last block, with more gas than needed. */
async function swapOnce(): Promise<void> {
  const { tx } = await ask(trader!);
  const { succeeded } = await send(evm, { ...tx, gas: 2_000_000n });
  if (!succeeded) throw new Error('A swap of the history was refused.');
}

/** Funds an account for all of its swaps, and sends its approval. */
async function makeReady(account: typeof trader & string): Promise<void> {
  const quote = await ask(account);
  await prepareSender(evm, { ...quote, amountIn: quote.amountIn * 1_000n });
  const args = [quote.tx.to, 2n ** 255n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await send(evm, { from: account, to: pair[0].address, data, value: 0n });
}

async function rest(hours: number): Promise<void> {
  const params = ['latest', false];
  const head = (await evm.request({ method: 'eth_getBlockByNumber', params })) as RpcBlock;
  const timestamp = numberToHex(hexToBigInt(head.timestamp) + BigInt(hours) * 3_600n);
  await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] });
  await evm.request({ method: 'evm_mine', params: [] });
}
