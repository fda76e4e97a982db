import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process and the lines that it printed. */
export type Child = {
  readonly lines: readonly string[];
  /** Resolves when it has printed this many lines, or is dead. */
  said(count: number): Promise<void>;
  /** Resolves when it is dead and all of its output is here. */
  ended(): Promise<void>;
  /** Stops and continues it by signal. */
  freeze(): void;
  thaw(): void;
  /** Kills it with SIGKILL, so that it cannot clean up. Resolves when all of its output is here. */
  kill(): Promise<void>;
};

export function startChild(script: URL, args: readonly string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    for (const watch of watchers) watch();
  });
  const end = Promise.all([once(reader, 'close'), once(child, 'exit')]);
  const ended = async () => void (await end);

  return {
    lines,
    said: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (lines.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
        void ended().then(resolve);
      }),
    ended,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill() {
      child.kill('SIGKILL');
      return ended();
    },
  };
}
