import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { serve } from '../support/run-tradewind.ts';

const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

test('an agent quotes, watches a pair on the development chain and is told when its price moves', async () => {
  const { url, process } = await serve({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
  const token = await issueToken(url, 'swap.read');
  const client = new Client({ name: 'agent', version: '1' });
  const endpoint = new URL('/mcp', url);
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(endpoint, { authProvider: { token: async () => token } }),
  );

  const quote = await client.callTool({
    name: 'get_swap_quote',
    arguments: {
      chainId: 31337,
      tokenIn: 'ETH',
      tokenOut: 'USDC',
      amount: '1000000000000000000',
      sender: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    },
  });
  const { status, tokenTo } = quote.structuredContent as {
    status: string;
    tokenTo: { address: string };
  };
  expect(status).toBe('Successful');

  const uri = `swap://chains/31337/pairs/${native}-${tokenTo.address}`;
  const told = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resolve(params.uri),
    );
  });
  const before = await readPrice(client, uri);
  await client.subscribeResource({ uri });
  // The watch compares with its own first reading, which may come after a swap. So the test swaps until it is notified.
  const swap = async () => {
    const words = ['quote', '100', 'ETH', 'USDC', '--execute', '--server', url];
    expect(await runInProcess(words)).toMatchObject({ code: 0 });
    return undefined;
  };
  let updated: string | undefined;
  while (updated === undefined) updated = await Promise.race([told, swap()]);
  expect(updated).toBe(uri);
  expect(await readPrice(client, uri)).toBeLessThan(before);

  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGTERM');
  expect(await ended).toBe(0);
});

async function readPrice(client: Client, uri: string): Promise<number> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents as { text: string }[];
  return JSON.parse(content?.text ?? '').swapPrice;
}
