import { describe, expect, it } from 'vitest';
import { runTradewind, serve, useServer } from '../support/run-tradewind.ts';

const withDevchain = { environment: { TRADEWIND_DEVCHAIN: 'auto' } };

type Body = {
  data: { status: string; expectedAmountOut: string; rpcUrl: string; tx: { to: string } };
};

const shared = useServer(withDevchain);

describe('the server as a newcomer starts it', () => {
  it('answers the curl it prints with a real quote, and serves the development chain', async () => {
    const { url, output } = shared;
    const [command = ''] = JSON.parse(output().stdout).tryNext;
    const response = await fetch(/'(http[^']+)'/.exec(command)?.[1] ?? '');
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as Body;
    expect(data.status).toBe('Successful');
    // The pools of the development chain hold ether at 3,000 dollars, give or take their spreads.
    expect(Number(data.expectedAmountOut) / 1e6).toBeGreaterThan(2_900);
    expect(data.rpcUrl).toBe(`${url}/rpc/31337`);
    const chainId = await fetch(data.rpcUrl, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    });
    expect(await chainId.json()).toMatchObject({ result: '0x7a69' });
  });

  it('executes what it quoted, to the unit, by the command line [Q14]', async () => {
    const { url } = shared;
    const args = ['quote', '100', 'ETH', 'USDC', '--execute', '--json', '--server', url];
    const run = runTradewind(args);
    expect(await run.ended).toBe(0);
    const { expectedAmountOut, execution } = JSON.parse(run.output().stdout);
    expect(execution.received).toBe(expectedAmountOut);
  });

  it('executes with a signed permit in the place of an approval, by the command line [Q29]', async () => {
    const args = ['quote', '1000', 'USDC', 'WETH', '--permit', 'auto', '--execute'];
    const run = runTradewind([...args, '--json', '--server', shared.url]);
    expect(await run.ended).toBe(0);
    const { expectedAmountOut, approval, permit, execution } = JSON.parse(run.output().stdout);
    expect({ kind: permit.kind, approval }).toEqual({ kind: 'eip2612', approval: undefined });
    expect(execution.received).toBe(expectedAmountOut);
  });

  it('begins with a fresh chain each time and believes nothing of the last one', async () => {
    const first = await serve(withDevchain);
    const quote = async (url: string) => {
      const run = runTradewind(['quote', '1', 'ETH', 'USDC', '--json', '--server', url]);
      await run.ended;
      return JSON.parse(run.output().stdout).expectedAmountOut;
    };
    const moved = ['quote', '500', 'ETH', 'USDC', '--execute', '--json', '--server', first.url];
    const before = await quote(first.url);
    expect(await runTradewind(moved).ended).toBe(0);
    expect(await quote(first.url)).not.toBe(before);
    first.process.kill('SIGTERM');
    await first.ended;
    const again = await serve({ ...withDevchain, dataDir: first.dataDir });
    expect(await quote(again.url)).toBe(before);
  });
});
