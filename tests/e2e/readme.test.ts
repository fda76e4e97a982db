import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testAccount } from '../../src/cli/server/ask-for-quote.ts';
import { openEvm } from '../../src/devchain/evm/open-evm.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { openRpcServer } from '../support/rpc-server.ts';
import { makeTemporaryDirectory, runTradewind, useServer } from '../support/run-tradewind.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/^```sh\n([^`]*)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);
const inline = [...readme.matchAll(/`((?:npx )?tradewind [^`]*)`/g)].map(
  ([, command = '']) => command,
);
const password = 'correct-horse-battery';
const server = useServer({
  environment: { TRADEWIND_OWNER_PASSWORD: password, TRADEWIND_DEVCHAIN: 'auto' },
});

/** The words of a command line, without their quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const atServer = (word: string) => word.replace('http://localhost:8787', server.url);

async function environment(): Promise<Record<string, string>> {
  return {
    TRADEWIND_PUBLIC_URL: server.url,
    TRADEWIND_PORT: '0',
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    TRADEWIND_KEYRING: 'off',
    BROWSER: createAllowingBrowser(password),
  };
}

function commandThat(begins: string): string[] {
  const line = [...commands, ...inline].find((command) => command.startsWith(begins));
  expect(line, `the README has a command that begins with ${begins}`).toBeDefined();
  return wordsOf(line ?? '').map(atServer);
}

async function tradewind(begins: string) {
  const [, , ...args] = commandThat(`npx tradewind ${begins}`);
  return runTradewind(args, await environment());
}

/** A node of Base in this process, with what `router` needs, and a key whose account holds some of the native currency. */
async function openBase(): Promise<{
  readonly asked: readonly string[];
  readonly keyFile: string;
}> {
  const evm = await openEvm({ chainId: 8453 });
  onTestFinished(() => evm.close());
  await deployUniswap(evm);
  const node = await openRpcServer(evm);
  onTestFinished(() => node.close());
  const keyFile = join(await makeTemporaryDirectory(), 'deployer.key');
  writeFileSync(keyFile, `${testAccount.privateKey}\n`, { mode: 0o600 });
  return { asked: ['--rpc-url', node.url], keyFile };
}

describe('the README', () => {
  it('has no command but those that are run here and the two that run everything [H1]', () => {
    const shapes = commands.map((command) => wordsOf(command).slice(0, 3).join(' '));
    expect(shapes).toEqual([
      'npm ci &&',
      'npm ci &&',
      expect.stringContaining('curl http'),
      'npx tradewind quote',
      'npx tradewind tools',
      'npx tradewind subscribe',
      'npx tradewind publish',
      'npx tradewind doctor',
    ]);
    expect(inline.map((command) => wordsOf(command).slice(0, 4).join(' '))).toEqual([
      'npx tradewind router check',
      'npx tradewind router deploy',
      'npx tradewind applications add',
      'npx tradewind token',
      'npx tradewind --help',
      'npx tradewind serve --help',
      'npx tradewind people invite',
    ]);
  });

  it('fetches a quote', async () => {
    const [program = '', ...args] = commandThat('curl');
    const { stdout } = await promisify(execFile)(program, args);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { status: 'Successful' } });
  });

  it('executes a quote, received to the last unit', async () => {
    const run = await tradewind('quote');
    expect(await run.ended).toBe(0);
    expect(run.output().stdout).toContain('Difference  none: received as quoted');
  });

  it('lists the tools of the server after one consent', async () => {
    const run = await tradewind('tools');
    expect(await run.ended).toBe(0);
    expect(run.output().stdout).toContain('get_swap_quote');
  });

  it('shows a published event in the window that subscribed', async () => {
    const listening = await tradewind('subscribe');
    await listening.match(/Subscribed as subscriptions/);
    expect(await (await tradewind('publish')).ended).toBe(0);
    expect(await listening.match(/"name": "files\/abc"/)).toBeDefined();
  });

  it('checks whether the server can run here', async () => {
    const run = await tradewind('doctor');
    expect([await run.ended, run.output().stderr]).toEqual([0, '']);
  });

  it('deploys the executor with the commands in its sentences', async () => {
    const { asked, keyFile } = await openBase();
    const router = async (action: string, ...more: string[]) => {
      const [, , ...args] = commandThat(`npx tradewind router ${action}`);
      const words = args.map((word) => (word === 'deployer.key' ? keyFile : word));
      return runTradewind([...words, ...asked, ...more], await environment()).ended;
    };
    expect([await router('check'), await router('deploy', '--yes'), await router('check')]).toEqual(
      [1, 0, 0],
    );
  });

  it('declares an application of its own', async () => {
    const run = await tradewind('applications add');
    expect([await run.ended, run.output().stdout]).toEqual([0, 'Added crm.\n']);
  });

  it('invites a person', async () => {
    const run = await tradewind('people invite');
    expect(await run.ended).toBe(0);
    expect(run.output().stdout).toMatch(/http:\/\/localhost:\d+\//);
  });

  it('prints a token for other clients', async () => {
    const run = await tradewind('token');
    expect([await run.ended, run.output().stdout.split('.').length]).toEqual([0, 3]);
  });

  it('lists every command and every setting', async () => {
    const [commandList, settings] = [await tradewind('--help'), await tradewind('serve --help')];
    expect([await commandList.ended, await settings.ended]).toEqual([0, 0]);
    expect(commandList.output().stdout).toContain('doctor');
    expect(settings.output().stdout).toContain('TRADEWIND_DATABASE_URL');
  });

  it('links only to pages that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});
