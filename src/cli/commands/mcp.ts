import { stdin } from 'node:process';
import { finished } from 'node:stream/promises';
import { version } from '../../app/version.ts';
import { serveOnStdio } from '../../context/index.ts';
import { firstOf } from '../../kernel/wait/cancel.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { fetchWithCredentials } from '../server/fetch-with-credentials.ts';
import { createRemoteUseCases } from '../server/mcp/remote-use-cases.ts';
import { serverOption, serverUrlOf } from '../server/server-option.ts';

/** `tradewind mcp --stdio`: the MCP tools for an agent that starts its servers itself. */
export const mcpCommand: Command = {
  description:
    'For agents that start MCP servers as local programs. It calls a running server and speaks MCP\non standard input and output; it never opens a sign-in. Quotes need no credentials. Subscriptions belong\nto TRADEWIND_CLIENT_ID with TRADEWIND_CLIENT_SECRET, or to TRADEWIND_TOKEN.\n\n  {"mcpServers": {"tradewind": {"command": "npx", "args": ["tradewind", "mcp", "--stdio"]}}}',
  options: {
    stdio: { type: 'boolean', help: 'Speak on standard input and output; required.' },
    server: serverOption,
  },
  async run(input) {
    const { flags, terminal } = input;
    if (!flags.stdio) {
      throw new UsageError(
        'Run tradewind mcp --stdio; over HTTP the tools are at /mcp of a running server.',
      );
    }
    const url = serverUrlOf(input);
    const useCases = createRemoteUseCases(
      url,
      await fetchWithCredentials(url, terminal.environment),
    );
    const ended = firstOf([
      // A broken input counts as ended.
      (signal) => finished(stdin, { signal }).catch(() => {}),
      () => new Promise<void>((resolve) => terminal.onTerminate(resolve)),
    ]);
    const close = await serveOnStdio({
      useCases,
      version,
      onError: (error) => void terminal.stderr.write(`tradewind mcp: ${error}\n`),
    });
    await ended;
    await close();
    return 0;
  },
};
