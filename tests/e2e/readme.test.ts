import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { makeTemporaryDirectory, runTradewind, useServer } from '../support/run-tradewind.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/^```sh\n([^`]*)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);
const password = 'correct-horse-battery';
const server = useServer({
  environment: { TRADEWIND_OWNER_PASSWORD: password, TRADEWIND_DEVCHAIN: 'auto' },
});

/** The words of a command line, without the quotes that hold some of them together. */
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
  const line = commands.find((command) => command.startsWith(begins));
  expect(line, `the README has a command that begins with ${begins}`).toBeDefined();
  return wordsOf(line ?? '').map(atServer);
}

async function tradewind(begins: string) {
  const [, , ...args] = commandThat(`npx tradewind ${begins}`);
  return runTradewind(args, await environment());
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

  it('links only to pages that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});
