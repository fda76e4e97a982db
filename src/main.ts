import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { commands } from './cli/commands.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { followSignals, whenWritten } from './cli/stop-signals.ts';
import { onAbort } from './kernel/wait/cancel.ts';
import { systemClock } from './kernel/wait/clock.ts';

const brokenPipe = 141; // 128 + SIGPIPE
const settleMs = 250; // for what is ending by itself
const patienceMs = 1_000; // for a slow reader of what was written

// A result whose reader is gone is of no use, so the process ends. A server goes on without a reader of its log.
process.stdout.on('error', () => process.exit(brokenPipe));
process.stderr.on('error', () => {});

process.exitCode = await runCommandLine(commands, process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  isTyped: process.stdin.isTTY === true,
  readLine: (signal) =>
    new Promise((resolve) => {
      const reader = createInterface({ input: process.stdin });
      const done = (line?: string) => {
        resolve(line);
        stopListening?.();
        reader.close();
      };
      reader.once('line', done).once('close', done);
      const stopListening = signal && onAbort(signal, () => reader.close());
    }),
  ...followSignals({
    on: (signal, callback) => process.on(signal, callback),
    exit: (code) => process.exit(code),
    clock: systemClock,
    isAtTerminal: () => [0, 1, 2].some((stream) => isatty(stream)),
  }),
  onExit: (callback) => process.on('exit', callback),
  onFault(callback) {
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, callback);
  },
});

// Exits explicitly, since a connection that was cut off at the end would keep the process alive. The clock's own sleep
// would keep it alive too.
setTimeout(async () => {
  await whenWritten([process.stdout, process.stderr], { patienceMs });
  process.exit();
}, settleMs).unref();
