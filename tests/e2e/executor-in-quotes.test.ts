import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { addConcentratedPool } from '../../src/devchain/pools/add-concentrated-pool.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken } from '../../src/devchain/tokens.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import type { ChainDeployment, Router } from '../../src/swap/deployments/deployment.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { executeQuote, prepareSender } from '../support/execute-quote.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

const [transient] = executorBuilds as [(typeof executorBuilds)[number]];
const sender = parseAddress(`0x${'5e'.repeat(20)}`);
const whole = 10n ** 18n;

let evm: Evm;
let server: RpcServer;
let deployment: ChainDeployment;
let tokens: readonly [Address, Address, Address];

/** The first token trades for the second on one exchange only, and the second for the third only on another. */
beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
  await deployUniswap(evm);
  server = await openRpcServer(evm);
  const added: Address[] = [];
  for (const symbol of ['FIRST', 'SECOND', 'THIRD']) {
    const { address } = await createToken(evm, { symbol, name: symbol, decimals: 18 });
    added.push(parseAddress(address));
  }
  tokens = [added[0]!, added[1]!, added[2]!];
  await addConstantProductPool(evm, {
    tokens: [tokens[0], tokens[1]],
    reserves: [1_000n * whole, 1_000n * whole],
  });
  const [token0, token1] = sortTokens(tokens[1], tokens[2]);
  const amounts = { amount0: 1_000n * whole, amount1: 1_000n * whole };
  await addConcentratedPool(evm, {
    token0,
    token1,
    fee: 3000,
    sqrtPriceX96: 1n << 96n,
    positions: [{ tickLower: -6000, tickUpper: 6000, ...amounts }],
  });
  const router = (kind: Router['kind'], address: string, exchange: string): Router => ({
    kind,
    address: parseAddress(address),
    exchanges: [exchange],
    source: 'src/devchain',
  });
  const { swapRouter02, constantProductRouter } = uniswapDeployment;
  deployment = {
    ...ethereum,
    exchanges: ethereum.exchanges.filter(({ name }) => name.startsWith('uniswap-')),
    baseTokens: [tokens[1]],
    routers: [
      router('swap-router-02', swapRouter02, 'uniswap-v3'),
      router('v2-router', constantProductRouter, 'uniswap-v2'),
    ],
  };
});
afterAll(async () => {
  await server.close();
  evm.close();
});

const ask = (quotes: Quotes, [tokenIn, tokenOut]: readonly [Address, Address]) =>
  quotes.quote({ tokenIn, tokenOut, amountIn: whole, sender });

describe('quotes on a chain where the executor may stand', () => {
  it('cross exchanges in one transaction once the executor is found there, and avoid it where its code differs [Q21] [Q23]', async () => {
    const quotes = await openQuotes({ deployment, urls: [server.url] });
    const [first, second, third] = tokens;
    expect((await ask(quotes, [first, third])).status).toBe('NoRoute');
    const before = (await ask(quotes, [first, second])) as RoutedQuote;
    expect(before.tx.to).toBe(uniswapDeployment.constantProductRouter);

    await deployByCreate2(evm, transient.deploymentData);
    // The server looks for the executor again after ten minutes.
    expect((await ask(quotes, [first, third])).status).toBe('NoRoute');
    await evm.request({ method: 'evm_increaseTime', params: [600] });
    await evm.request({ method: 'hardhat_mine', params: ['0x1'] });
    const crossing = (await ask(quotes, [first, third])) as RoutedQuote;
    expect(crossing.tx.to).toBe(transient.address);
    expect(crossing.route.map(({ exchange }) => exchange)).toEqual(['uniswap-v2', 'uniswap-v3']);
    expect(quotes.chain.deployment.routers[0]).toMatchObject({ kind: 'tradewind' });
    await prepareSender(evm, crossing);
    const { succeeded, received, spent } = await executeQuote(evm, crossing);
    expect({ succeeded, received, spent }).toEqual({
      succeeded: true,
      received: crossing.expectedAmountOut,
      spent: whole,
    });

    // A call to an address without code succeeds, and the value sent with it is lost.
    await evm.request({ method: 'hardhat_setCode', params: [transient.address, '0x'] });
    const after = (await ask(quotes, [first, second])) as RoutedQuote;
    expect(after.tx.to).toBe(uniswapDeployment.constantProductRouter);
    await evm.request({ method: 'hardhat_setCode', params: [transient.address, '0x5b00'] });
    expect((await ask(quotes, [first, third])).status).toBe('NoRoute');
    await quotes.close();
  });
});
