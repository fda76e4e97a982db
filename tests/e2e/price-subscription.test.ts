import { expect, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { runTradewind, serve } from '../support/run-tradewind.ts';

const wrappedEther = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const dollars = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const targetResource = `//swap/chains/31337/pairs/${wrappedEther}-${dollars}`;
const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const type = 'tradewind.swap.price.v1.moved';

test('a price subscription reports the swap that moved the price, at its block, and can be made by symbols [E14.11, E14.12, T8]', async () => {
  const { url } = await serve({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
  const token = await issueToken(url, 'swap.read subscriptions.read subscriptions.write');
  const headers = { Authorization: `Bearer ${token}` };
  // A quote first, so that the pools are known: then the subscription starts from the price at its creation.
  const query = { tokenIn: wrappedEther, tokenOut: dollars, amount: '1000000000000000000', sender };
  const quoted = await fetch(`${url}/v1/swap/31337?${new URLSearchParams(query)}`);
  expect(quoted.status).toBe(200);
  const created = await fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      targetResource,
      eventTypes: [type],
      notificationEndpoint: { eventStream: {} },
      swapOptions: { amount: '1000000000000000000', thresholdBps: 20 },
    }),
  });
  const operation = (await created.json()) as { response: { name: string } };
  expect(operation).toMatchObject({ done: true, response: { state: 'ACTIVE' } });
  const stream = await fetch(`${url}/v1/${operation.response.name}:listen`, { headers });

  // The pools are deep: ten ethers move the price by about one basis point, five hundred by forty.
  await sellEther(url, 10);
  await sellEther(url, 500);
  const blockNumber = await readBlockNumber(url);
  expect(await firstEvent(stream)).toMatchObject({
    type,
    subject: targetResource,
    data: { price: { blockNumber } },
  });

  // The same pair by its symbols: the command finds the existing subscription and prints the same event.
  const watch = runTradewind(
    ['subscribe', 'weth/USDC', '--since', '0', '--count', '1', '--json', '--server', url],
    { TRADEWIND_TOKEN: token },
  );
  expect(await watch.ended, watch.output().stderr).toBe(0);
  const [there, event] = watch
    .output()
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(there).toMatchObject({ name: operation.response.name, targetResource });
  expect(event).toMatchObject({ type, data: { price: { blockNumber } } });
});

async function sellEther(url: string, count: number): Promise<void> {
  const sale = ['quote', `${count}`, 'ETH', 'USDC', '--execute', '--server', url];
  expect(await runTradewind(sale).ended).toBe(0);
}

async function readBlockNumber(url: string): Promise<number> {
  const answer = await fetch(`${url}/rpc/31337`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  });
  const { result } = (await answer.json()) as { result: string };
  return Number(result);
}

/** The first event of a stream: CloudEvents in JSON. */
async function firstEvent({ body }: Response): Promise<unknown> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, data] = /^data: ?(.*)\n\n/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`the stream ended: ${text}`);
}
