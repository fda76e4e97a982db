import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/run-tradewind.ts';

const clone = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `npm start` in this clone, as a newcomer does, but with another port and data directory, until it says what to try. */
async function npmStart(): Promise<{ npm: ChildProcess; welcome: string }> {
  const { PATH, HOME } = process.env;
  const TRADEWIND_DATA_DIR = await makeTemporaryDirectory();
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: { PATH, HOME, TRADEWIND_DATA_DIR, TRADEWIND_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that all of its processes end with the test.
    detached: true,
  });
  onTestFinished(async () => {
    if (npm.exitCode !== null || npm.pid === undefined) return;
    process.kill(-npm.pid, 'SIGKILL');
    await once(npm, 'close');
  });
  let welcome = '';
  for await (const chunk of npm.stdout) {
    welcome += chunk;
    if (welcome.includes('Ctrl-C')) return { npm, welcome };
  }
  throw new Error(`npm start ended too early:\n${welcome}`);
}

test('npm start tells which services run, how to sign in, and a curl line that fetches a quote', async () => {
  const { welcome } = await npmStart();
  const [, origin = ''] = /is ready on (http:\/\/localhost:\d+)\n/.exec(welcome) ?? [];
  const [, home = ''] = /Console +(\S+)/.exec(welcome) ?? [];
  expect(await (await fetch(home)).text()).toContain('<title>');
  expect(welcome).toContain('Services   swap, authorization, events, context\n');
  expect(welcome).toContain(`npx tradewind login ${origin}\n`);
  const [, setUpLink = ''] = /password of the owner: (\S+)/.exec(welcome) ?? [];
  const setUp = await fetch(setUpLink);
  expect([setUp.status, await setUp.text()]).toEqual([200, expect.stringContaining('password')]);
  const url = /curl '(\S+\/v1\/swap\/31337\S+)'/.exec(welcome)?.[1];
  const response = await fetch(url ?? '');
  expect(await response.json()).toMatchObject({ success: true, data: { status: 'Successful' } });
});

test('SIGTERM to npm alone ends the server, which frees its port [H12]', async () => {
  const { npm, welcome } = await npmStart();
  const [, origin = ''] = /is ready on (http:\/\/localhost:\d+)\n/.exec(welcome) ?? [];
  npm.kill('SIGTERM');
  const [code] = await once(npm, 'close');
  expect(code).toBe(0);
  await expect(fetch(`${origin}/health`)).rejects.toThrow();
});
