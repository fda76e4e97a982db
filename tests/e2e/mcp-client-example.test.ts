import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { startSdkServer } from '../support/start-sdk-server.ts';

const asSource = ['--conditions=tradewind-source'];
const example = fileURLToPath(new URL('../../examples/mcp-client.ts', import.meta.url));

it('examples/mcp-client.ts signs in at a stranger and lists its tools', async () => {
  const server = await startSdkServer();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...asSource, example, server.url],
    {
      env: {
        PATH: process.env.PATH,
        TRADEWIND_DATA_DIR: createDataDir(),
        TRADEWIND_KEYRING: 'off',
        BROWSER: createAllowingBrowser(),
      },
    },
  );
  expect(stdout).toBe('add: Adds two numbers.\n');
  expect(stderr).toContain('Sign in at ');
});
