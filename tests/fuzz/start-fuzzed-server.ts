import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

export type FuzzedServer = {
  readonly url: URL;
  /** What it wrote to stderr. */
  faults(): string;
  isAlive(): boolean;
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  /** Sends a message to the preloaded module, and returns its answer. */
  ask(message: string): Promise<unknown>;
  end(): Promise<void>;
};

/** A real process with every service, and limits that let the fuzzer through to the operations. */
export async function startFuzzedServer(
  environment: Readonly<Record<string, string>> = {},
  /** A module that is loaded into its process first. */
  preloaded?: URL,
): Promise<FuzzedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tradewind-fuzz-'));
  const options = preloaded === undefined ? [] : ['--import', preloaded.href];
  const child = spawn(process.execPath, [...options, launcher, 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      TRADEWIND_PORT: '0',
      TRADEWIND_DATA_DIR: dataDir,
      TRADEWIND_CHAINS: '31337',
      TRADEWIND_RATE_LIMIT: '10000000',
      TRADEWIND_REGISTRATION_RATE: '1000000',
      // The longest possible lifetime, so that tokens do not expire during a long run.
      TRADEWIND_ACCESS_TOKEN_LIFETIME: '1h',
      TRADEWIND_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = { stdout: '', stderr: '' };
  child.stderr?.on('data', (chunk) => {
    output.stderr = `${output.stderr}${chunk}`.slice(-100_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output.stdout += chunk;
      const end = output.stdout.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(output.stdout.slice(0, end)).url);
    });
    child.once('close', () => reject(new Error(`the server did not start: ${output.stderr}`)));
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    url: new URL(url),
    pid: child.pid ?? 0,
    faults: () => output.stderr,
    isAlive,
    signal: (name) => void child.kill(name),
    async ask(message) {
      const answered = once(child, 'message');
      const closed = once(child, 'close').then(() => {
        throw new Error(`the server ended: ${output.stderr}`);
      });
      child.send(message);
      return (await Promise.race([answered, closed]))[0];
    },
    async end() {
      const closed = isAlive() ? once(child, 'close') : undefined;
      child.kill('SIGKILL');
      await closed;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
