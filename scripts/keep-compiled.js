// Runs at the end of an install: starts a server once, for as long as it takes to be ready, so that everything it
// reads is compiled and its first start is as quick and small as every later one. A convenience only: where it
// cannot run, the first start does the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import * as module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const longestWait = 30_000;

try {
  module.enableCompileCache(pathOf('../node_modules/.cache/tradewind'));
  await import('../src/app/development-chain/open-devchain.ts');
  await import('../src/devchain/build-devchain.ts');
  await startOnce();
} catch (error) {
  console.warn(`Nothing was compiled beforehand: ${error}`);
}

/** On data of its own and with none of the caller's settings; the development chain takes too long here. */
async function startOnce() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-install-'));
  const child = spawn(process.execPath, [pathOf('../bin/tradewind.js'), 'serve', '--json'], {
    env: { TRADEWIND_PORT: '0', TRADEWIND_DATA_DIR: dataDir, TRADEWIND_DEVCHAIN: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: longestWait,
  });
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}
