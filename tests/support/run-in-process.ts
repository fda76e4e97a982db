import { commands } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';

/** Runs a command line in this process; `columns` makes its output a terminal of that width. */
export async function runInProcess(
  argv: readonly string[],
  options: { environment?: Record<string, string>; columns?: number } = {},
) {
  const { environment = {}, columns } = options;
  const output = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
    },
    isTTY: columns !== undefined,
    columns: columns ?? 0,
  });
  const code = await runCommandLine(commands, argv, {
    environment,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    onTerminate: () => {},
    onExit: () => {},
    onReload: () => {},
  });
  return { code, ...output };
}
