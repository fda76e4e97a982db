// Runs at the end of an install. It starts a server once, until that is ready, to fill the compile cache, so that the first
// start is as quick and small as every later one. A convenience only: if it cannot run, the first start fills the cache.
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
  await import('../src/app/open-devchain.ts');
  await import('../src/devchain/build-devchain.ts');
  await startOnce();
} catch (error) {
  console.warn(`Nothing was compiled beforehand: ${error}`);
}

/** Uses a temporary data directory and none of the caller's settings. The development chain would take too long here. */
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
