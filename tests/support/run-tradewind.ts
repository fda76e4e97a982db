import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

export type Run = {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  output(): { stdout: string; stderr: string };
  /** Waits until the output matches. Resolves with the first group, or the whole match. Rejects if the process ends before. */
  match(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Runs the real command line in a process of its own, which ends with the test at the latest. */
export function runTradewind(
  args: readonly string[],
  environment: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): Run {
  const run = start(args, environment, stdin);
  onTestFinished(() => end(run));
  return run;
}

function start(
  ...[args, environment = {}, stdin = 'ignore']: Parameters<typeof runTradewind>
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

async function end(run: Run): Promise<void> {
  run.process.kill('SIGKILL');
  await run.ended;
}

/** A directory of its own for the test, removed after it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const path = await makeDirectory();
  onTestFinished(() => removeDirectory(path));
  return path;
}

const makeDirectory = () => mkdtemp(join(tmpdir(), 'tradewind-test-'));
const removeDirectory = (path: string) => rm(path, { recursive: true, force: true });

export type ServerUnderTest = Run & { readonly url: string; readonly dataDir: string };

type ServeOptions = {
  readonly args?: readonly string[];
  readonly environment?: Record<string, string>;
};

/** Starts the server on a free port with an empty data directory and waits until it says it is ready. */
export async function serve(
  options: ServeOptions & { readonly dataDir?: string } = {},
): Promise<ServerUnderTest> {
  const dataDir = options.dataDir ?? (await makeTemporaryDirectory());
  const run = runTradewind(...commandOf(options, dataDir));
  return { ...run, url: await readUrl(run), dataDir };
}

/** One server for all tests of a file, which must not affect each other. Its members are set once the tests run. */
export function useServer(
  options: ServeOptions = {},
): Pick<ServerUnderTest, 'url' | 'dataDir' | 'output'> {
  const server = { url: '', dataDir: '', output: () => ({ stdout: '', stderr: '' }) };
  let run: Run;
  beforeAll(async () => {
    server.dataDir = await makeDirectory();
    run = start(...commandOf(options, server.dataDir));
    server.output = run.output;
    server.url = await readUrl(run);
  });
  afterAll(async () => {
    await end(run);
    await removeDirectory(server.dataDir);
  });
  return server;
}

function commandOf({ args = [], environment }: ServeOptions, dataDir: string) {
  const settings = {
    TRADEWIND_PORT: '0',
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_DEVCHAIN: 'off',
    ...environment,
  };
  return [['serve', '--json', ...args], settings] as const;
}

async function readUrl(run: Run): Promise<string> {
  const line = await Promise.race([firstLine(run), run.ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`the server did not start:\n${run.output().stderr}`);
  return JSON.parse(line).url;
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
