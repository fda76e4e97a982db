import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

export type Run = {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  output(): { stdout: string; stderr: string };
  /** Waits for it to print something, and gives the first group, or all of it. Rejects when it ends before. */
  match(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Runs the real command line in a process of its own; it is ended with the test at the latest. */
export function runTradewind(
  args: readonly string[],
  environment: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): Run {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const match = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code}: ${output.stderr}`)));
    });
  return { process: child, output: () => ({ ...output }), match, ended };
}

/** A directory of its own for the test, removed after it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tradewind-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export type ServerUnderTest = Run & { readonly url: string; readonly dataDir: string };

/** Starts the server on a free port with an empty data directory and waits until it says it is ready. */
export async function serve(
  options: {
    args?: readonly string[];
    environment?: Record<string, string>;
    dataDir?: string;
  } = {},
): Promise<ServerUnderTest> {
  const dataDir = options.dataDir ?? (await makeTemporaryDirectory());
  const run = runTradewind(['serve', '--json', ...(options.args ?? [])], {
    TRADEWIND_PORT: '0',
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_DEVCHAIN: 'off',
    ...options.environment,
  });
  const line = await Promise.race([firstLine(run), run.ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`the server did not start:\n${run.output().stderr}`);
  return { ...run, url: JSON.parse(line).url, dataDir };
}

function firstLine(run: Run): Promise<string> {
  return new Promise((resolve) => {
    run.process.stdout?.on('data', () => {
      const { stdout } = run.output();
      const end = stdout.indexOf('\n');
      if (end >= 0) resolve(stdout.slice(0, end));
    });
  });
}
