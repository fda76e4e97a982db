import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { makeTemporaryDirectory, runTradewind, serve } from '../support/run-tradewind.ts';

const guide = fileURLToPath(new URL('../../docs/guard.md', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The commands of the guide's first section, with a free port in place of the guide's. */
function readGuide(port: number) {
  const text = readFileSync(guide, 'utf8').replaceAll('localhost:9000', `localhost:${port}`);
  const blocks = [...text.matchAll(/^ +```\n([^`]+)^ +```$/gm)].map(([, block = '']) =>
    block.trim(),
  );
  const [, add = '', start = '', , refusal = '', call = ''] = blocks;
  return { add, start, challenge: /www-authenticate: (.*)$/.exec(refusal)?.[1], call };
}

/** The arguments of a shell command. The guide's commands use no quoting but single quotes. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/(?:[^\s']|'[^']*')+/g)];
  return words.map(([word]) => word.replaceAll("'", '')).slice(2);
}

test('the guide leads from nothing to a refused and an accepted call, with a scope of one’s own [T4]', async () => {
  const port = await findFreePort();
  const steps = readGuide(port);
  const password = 'correct-horse-battery';
  const { url, dataDir } = await serve({
    args: ['--services', 'authorization'],
    environment: { TRADEWIND_OWNER_PASSWORD: password },
  });
  const added = runTradewind(wordsOf(steps.add), {
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_PUBLIC_URL: url,
  });
  expect(await added.ended, added.output().stderr).toBe(0);
  expect(added.output().stdout).toContain('clock.read');

  const [scope, , , ...args] = steps.start.split(' ');
  const example = spawn(process.execPath, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ISSUER: url,
      PORT: String(port),
      SCOPE: scope?.replace('SCOPE=', ''),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void example.kill('SIGKILL'));
  await once(example.stdout, 'data');

  const refused = await fetch(`http://localhost:${port}/mcp`, { method: 'POST' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe(steps.challenge);

  const called = runTradewind(wordsOf(steps.call), {
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    TRADEWIND_KEYRING: 'off',
    BROWSER: createAllowingBrowser(password),
  });
  expect(await called.ended, called.output().stderr).toBe(0);
  expect(called.output().stdout).toMatch(/^\d{4}-\d\d-\d\dT/);
});
