import { queryObjects } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { startDevchain } from '../../src/devchain/index.ts';
import { defineDeployment } from '../../src/swap/deployments/define-deployment.ts';
import { parseAddress } from '../../src/swap/model.ts';
import { openQuotes } from '../support/open-quotes.ts';
import { openRpcServer } from '../support/rpc-server.ts';

/** How many objects of every class there are, after a full collection. */
const countObjects = () => Number(queryObjects(Object, { format: 'count' }));

test('blocks leave nothing in memory, on the development chain and in what follows it [F34]', async () => {
  const devchain = await startDevchain();
  onTestFinished(() => devchain.close());
  const server = await openRpcServer({
    async handle(body) {
      const request = new Request('http://localhost/', { method: 'POST', body });
      return (await devchain.handleRpc(request, { isForeignPage: false })).text();
    },
  });
  const source = 'src/devchain';
  const { deployment: described } = devchain;
  const exchanges = described.exchanges.map((exchange) => ({ ...exchange, source }));
  const routers = described.routers.map((router) => ({ ...router, source }));
  const deployment = defineDeployment({ ...described, rpcUrls: [], exchanges, routers, source });
  const quotes = await openQuotes({ deployment, urls: [server.url] });
  onTestFinished(async () => {
    await quotes.close();
    await server.close();
  });
  const [tokenIn, tokenOut] = described.baseTokens.map((token) => parseAddress(token));
  const pass = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) {
      await devchain.request({ method: 'evm_mine' });
      await quotes.warm();
    }
  };
  await quotes.price({ tokenIn: tokenIn!, tokenOut: tokenOut!, amountIn: 10n ** 15n });
  await pass(50);
  const before = countObjects();
  const blocks = 200;
  await pass(blocks);
  // What comes and goes with connections is less than an object of each block.
  expect(countObjects() - before).toBeLessThan(blocks / 2);

  // The chain that is built again has them all.
  const head = await devchain.request({ method: 'eth_blockNumber' });
  const endless = { data: '0x5b600056' };
  await expect(devchain.request({ method: 'eth_call', params: [endless] })).rejects.toThrow();
  expect(await devchain.request({ method: 'eth_blockNumber' })).toBe(head);
});
