import { execFile } from 'node:child_process';
import { access, constants, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { openTestChain } from '../support/open-test-chain.ts';
import { makeTemporaryDirectory } from '../support/run-tradewind.ts';
import {
  openSwapServer,
  routedQuote,
  sender,
  swapMountOptions,
} from '../support/swap-interface.ts';

const run = promisify(execFile);

/** How a reader would run each sample in a directory that holds it as `file`. */
const runtimes = {
  curl: { needs: 'curl', file: 'sample.sh', commands: [['sh', 'sample.sh']] },
  typescript: {
    needs: process.execPath,
    file: 'sample.mts',
    commands: [[process.execPath, 'sample.mts']],
  },
  python: { needs: 'python3', file: 'sample.py', commands: [['python3', 'sample.py']] },
  rust: {
    needs: 'rustc',
    file: 'sample.rs',
    commands: [['rustc', '--edition=2021', '-o', 'sample', 'sample.rs'], ['./sample']],
  },
} as const;

async function isOnMachine(program: string): Promise<boolean> {
  const directories = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  const found = directories.map((directory) => access(join(directory, program), constants.X_OK));
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled');
}

async function runSample(
  language: keyof typeof runtimes,
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { data } = (await (await fetch(`${url}/v1/swap/examples`)).json()) as {
    data: { examples: Record<keyof typeof runtimes, string> };
  };
  const cwd = await makeTemporaryDirectory();
  const { file, commands } = runtimes[language];
  await writeFile(join(cwd, file), data.examples[language]);
  let output = '';
  for (const [program, ...args] of commands) {
    output = (await run(program, args, { cwd, env: { ...process.env, ...env } })).stdout;
  }
  return output;
}

const languages = Object.keys(runtimes) as (keyof typeof runtimes)[];
const present = await Promise.all(
  languages.map(async (language) => ({
    language,
    isHere: await isOnMachine(runtimes[language].needs),
  })),
);

const hasJq = await isOnMachine('jq');

describe('the samples of /v1/swap/examples', () => {
  for (const { language, isHere } of present) {
    if (!isHere) continue;
    it(`in ${language} runs unchanged and shows a quote [Q10]`, async () => {
      const output = await runSample(language, await openSwapServer());
      expect(output).toContain('Successful');
      expect(output).toContain('2990950000');
    });
  }

  for (const { language, isHere } of present) {
    const canSend = isHere && (language !== 'curl' || hasJq);
    if (!canSend) continue;
    it(`in ${language} approves, signs, sends and waits where a signer is named [Q29]`, async () => {
      const { rpcUrl, weth, request } = await openTestChain();
      const spender = routedQuote.tx.to;
      const call = (functionName: 'approve' | 'allowance' | 'balanceOf', args: unknown[]) =>
        encodeFunctionData({ abi: erc20Abi, functionName, args } as never);
      const read = async (data: Hex) =>
        BigInt((await request('eth_call', { to: weth, data }, 'latest')) as Hex);
      const approve = (amount: bigint) => call('approve', [spender, amount]);
      const approval = [0n, 7n].map((amount) => ({
        from: sender,
        to: weth,
        data: approve(amount),
        value: 0n,
      }));
      const tx = { ...routedQuote.tx, to: weth, data: '0xd0e30db0' as const }; // deposit()
      const quote: RoutedQuote = { ...routedQuote, tx, approval };
      const url = await openSwapServer({
        useCases: { ...swapMountOptions.useCases, quote: async () => quote },
      });
      const output = await runSample(language, url, { SIGNER: rpcUrl });
      expect(output.match(/in a block: "?0x[0-9a-f]{64}/g)).toHaveLength(3);
      expect(await read(call('balanceOf', [sender]))).toBe(quote.tx.value);
      expect(await read(call('allowance', [sender, spender]))).toBe(7n);
      // A transaction that reverts ends the sample with an error.
      const broken = { ...quote, approval: [], tx: { ...tx, data: '0x2e1a7d4dff' as const } };
      const refusing = await openSwapServer({
        useCases: { ...swapMountOptions.useCases, quote: async () => broken },
      });
      await expect(runSample(language, refusing, { SIGNER: rpcUrl })).rejects.toThrow();
    });
  }

  it('end with an error where the server refuses', async () => {
    const url = await openSwapServer({
      useCases: {
        quote: async () => {
          throw new Error('broken');
        },
        price: async () => {
          throw new Error('broken');
        },
        history: async () => [],
        endpoints: async () => [],
        chains: async () => [],
        tokens: async () => [],
      },
    });
    for (const { language, isHere } of present) {
      if (isHere) await expect(runSample(language, url)).rejects.toThrow();
    }
  });
});
