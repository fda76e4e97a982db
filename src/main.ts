import { commands } from './cli/commands.ts';
import { runCommandLine } from './cli/run-command-line.ts';

const interrupted = 130; // 128 + SIGINT, as shells count it
let terminations = 0;

process.exitCode = await runCommandLine(commands, process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  onTerminate(callback) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        terminations += 1;
        if (terminations > 1) process.exit(interrupted);
        callback();
      });
    }
  },
});
