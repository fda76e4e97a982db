import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Hex, parseEther, parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { testAccount } from '../../src/cli/server/ask-for-quote.ts';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { executorBuilds, formerExecutors } from '../../src/swap/executor/executor-builds.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';
import { runTradewind } from '../support/run-tradewind.ts';
import { serveHttp } from '../support/serve-http.ts';
import formerDeployment from '../vectors/former-executor.json' with { type: 'json' };

let evm: Evm;
let server: RpcServer;
const folder = mkdtempSync(join(tmpdir(), 'tradewind-router-'));
const keyFile = join(folder, 'deployer.key');

beforeAll(async () => {
  writeFileSync(keyFile, `${testAccount.privateKey}\n`, { mode: 0o600 });
  evm = await openEvm({ chainId: 1 });
  await deployUniswap(evm);
  server = await openRpcServer(evm);
});
afterAll(async () => {
  await server.close();
  evm.close();
  rmSync(folder, { recursive: true });
});

async function router(args: readonly string[], environment = {}) {
  const run = runTradewind(['router', ...args, '--rpc-url', server.url], environment);
  return { code: await run.ended, ...run.output() };
}

/** A node that reports another chain and higher fees after the person was asked. Records the transactions it gets. */
async function openFickleNode() {
  const node = { hasAsked: false, sent: [] as Hex[] };
  const url = await serveHttp(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    const fickle: Record<string, string> = { eth_chainId: '0xa', eth_gasPrice: '0xe8d4a51000' };
    const answer = async () => {
      if (method !== 'eth_sendRawTransaction') {
        return {
          result: (node.hasAsked && fickle[method]) || (await evm.request({ method, params })),
        };
      }
      node.sent.push(params[0]);
      return { error: { code: -32_000, message: 'not today' } };
    };
    response.setHeader('content-type', 'application/json');
    const answered = await answer().catch(({ code, message }) => ({ error: { code, message } }));
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answered }));
  });
  return { node, url };
}

describe('tradewind router', () => {
  it('sends the transaction that the person confirmed, whatever the node returns afterwards [Q23]', async () => {
    const { node, url } = await openFickleNode();
    let told = '';
    const stream = { write: (part: string) => (told += part), isTTY: true };
    const argv = ['router', 'deploy', '--chain', '1', '--key-file', keyFile, '--rpc-url', url];
    await runCommandLine(commands, argv, {
      environment: {},
      stdout: stream,
      stderr: stream,
      readLine: async () => {
        node.hasAsked = true;
        return 'y';
      },
      onTerminate: () => {},
      onExit: () => {},
      onReload: () => {},
    });
    const [, most = ''] = /at most ([\d.]+) of the native token/.exec(told) ?? [];
    const { chainId, gas = 0n, maxFeePerGas, gasPrice } = parseTransaction(node.sent[0]!);
    expect(chainId).toBe(1);
    expect(gas * (maxFeePerGas ?? gasPrice ?? 0n)).toBe(parseEther(most));
  });

  it('tells what it costs, deploys with a key from a file, waits and compares the code [Q23]', async () => {
    const [transient] = executorBuilds as [(typeof executorBuilds)[number]];
    const before = await router(['check', '--chain', '1', '--json']);
    expect(before.code).toBe(1);
    expect(JSON.parse(before.stdout)).toMatchObject({
      hasDeployer: true,
      suited: 'transient',
      builds: [{ address: transient.address, status: 'absent' }, { status: 'absent' }],
    });
    const unasked = await router(['deploy', '--chain', '1', '--key-file', keyFile]);
    expect({ code: unasked.code, stderr: unasked.stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/takes \d+ gas, at most [\d.e-]+ of the native token/),
    });
    const deployed = await router([
      'deploy',
      '--chain',
      '1',
      '--key-file',
      keyFile,
      '--yes',
      '--json',
    ]);
    expect(deployed.code).toBe(0);
    expect(JSON.parse(deployed.stdout).builds[0]).toEqual({
      name: 'transient',
      address: transient.address,
      status: 'deployed',
    });
    const after = await router(['check', '--chain', '1']);
    expect(after.code).toBe(0);
    expect(after.stdout).toContain(transient.address);
  });

  it('refuses the node of another chain, a missing key and other code at the address [Q23]', async () => {
    const wrong = await router(['check', '--chain', '8453']);
    expect(wrong.stderr).toContain('to chain 1, not 8453');
    const keyless = await router(['deploy', '--chain', '1']);
    expect({ code: keyless.code, stderr: keyless.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('TRADEWIND_DEPLOYER_KEY'),
    });
    const storage = executorBuilds[1]!;
    await evm.request({ method: 'hardhat_setCode', params: [storage.address, '0x5b00'] });
    const { stdout } = await router(['check', '--chain', '1', '--json']);
    expect(JSON.parse(stdout).builds[1].status).toBe('other code');
  });

  it('names an executor of an earlier version that is there, and tells to withdraw allowances [F25] [Q23]', async () => {
    const { address, name, fault, codeHash } = formerExecutors[0]!;
    expect(JSON.parse((await router(['check', '--chain', '1', '--json'])).stdout).former).toEqual(
      [],
    );
    await deployByCreate2(evm, formerDeployment.transient as Hex);
    const { stdout } = await router(['check', '--chain', '1']);
    expect(stdout).toMatch(new RegExp(`transient +${address} +superseded`));
    expect(stdout).toContain(`The superseded executor at ${address} ${fault}: set allowances`);
    const told = JSON.parse((await router(['check', '--chain', '1', '--json'])).stdout);
    expect(told.former).toEqual([{ name, address, codeHash, fault }]);
  });
});
