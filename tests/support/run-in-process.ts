import { commands } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';

/**
 * Runs a command line in this process. `columns` makes its output a terminal of that width. `onResult` is
 * called with each write to standard output. `answer` is what a person types, if there is one.
 */
export async function runInProcess(
  argv: readonly string[],
  options: {
    environment?: Record<string, string>;
    columns?: number;
    onResult?: (text: string) => void;
    answer?: string;
  } = {},
) {
  const { environment = {}, columns, onResult, answer } = options;
  const output = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
      if (name === 'stdout') onResult?.(text);
    },
    isTTY: columns !== undefined,
    columns: columns ?? 0,
  });
  const code = await runCommandLine(commands, argv, {
    environment,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    isTyped: columns !== undefined,
    ...(answer === undefined ? {} : { readLine: async () => answer }),
    onTerminate: () => {},
    onExit: () => {},
    onReload: () => {},
  });
  return { code, ...output };
}
