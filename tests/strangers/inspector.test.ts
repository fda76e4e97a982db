import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { findFreePort } from '../support/find-free-port.ts';
import { followSignIn } from '../support/follow-sign-in.ts';
import { makeTemporaryDirectory, serve } from '../support/run-tradewind.ts';
import { testsWith } from '../support/tests-with.ts';

const { it } = testsWith('strangers');

const inspector = fileURLToPath(
  new URL(
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);
const password = 'correct-horse-battery';

/** Runs the inspector on the command line; the owner signs in if it asks for that. */
async function inspect(server: string, ...args: string[]) {
  const home = await makeTemporaryDirectory();
  const child = spawn(
    process.execPath,
    [
      inspector,
      '--cli',
      `${server}/mcp`,
      '--transport',
      'http',
      '--callback-url',
      `http://127.0.0.1:${await findFreePort()}/oauth/callback`,
      '--format',
      'json',
      ...args,
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        // There is no terminal and no browser here: the inspector also prints the address.
        MCP_AUTO_OPEN_ENABLED: 'true',
        BROWSER: 'true',
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  void followSignIn(child.stderr, { server, visitor: { password } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

it.each(['legacy', 'modern'])(
  'finds nothing to complain about in the tools, in the %s era',
  async (era) => {
    const { url } = await serve({ environment: { TRADEWIND_OWNER_PASSWORD: password } });
    const listing = ['--method', 'tools/list', '--strict', '--protocol-era', era];
    const { code, stdout, stderr } = await inspect(url, ...listing);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('get_swap_quote');
    // The inspector prints an issue for each finding, but warnings alone leave the exit code 0.
    expect(stderr).not.toContain('Issue:');
  },
);

it('calls a tool', async () => {
  const { url } = await serve({ environment: { TRADEWIND_OWNER_PASSWORD: password } });
  const { code, stdout, stderr } = await inspect(
    url,
    '--method',
    'tools/call',
    '--tool-name',
    'list_chains',
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"chainId"');
});
