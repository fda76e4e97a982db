import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createDataDir } from './create-data-dir.ts';
import { findProgram } from './installed-programs.ts';

export type TestNats = { readonly url: string; stop(): Promise<void> };

export type NatsServerOptions = {
  /** By default the system chooses one. */
  readonly port?: number;
  /** Where JetStream keeps its streams; false for a server without it. */
  readonly store?: string | false;
  readonly args?: readonly string[];
};

/** A real NATS server, by default with JetStream, which ends with the test. */
export async function startNats(options: NatsServerOptions = {}): Promise<TestNats> {
  const { port = -1, store = createDataDir(), args = [] } = options;
  const child = spawn(
    findProgram('nats'),
    ['-a', '127.0.0.1', '-p', String(port), ...(store ? ['-js', '-sd', store] : []), ...args],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  onTestFinished(() => stop(child));
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /Listening for client connections on (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    child.stderr.resume();
    return { url: `nats://${address}`, stop: () => stop(child) };
  }
  throw new Error('The NATS server did not start.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
