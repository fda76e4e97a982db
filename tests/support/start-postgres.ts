import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './find-free-port.ts';

/** A real PostgreSQL server of its own, with its data in a temporary directory. */
export type TestPostgres = {
  /** Leads to the maintenance database; see `createPostgresDatabase` for a fresh one. */
  readonly url: string;
  /** Ends the server as a power cut would: no shutdown, no flush. */
  kill(): Promise<void>;
  /** Starts the killed server again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * `isDurable` makes the server call fsync, which only crash tests and benchmarks want. `directory` holds its data, by
 * default in the system's temporary directory.
 */
export async function startPostgres({
  isDurable = false,
  directory = tmpdir(),
} = {}): Promise<TestPostgres> {
  const port = await findFreePort();
  const script = fileURLToPath(new URL('postgres-server.ts', import.meta.url));
  const holder = fork(script, [String(port), isDurable ? 'on' : 'off'], {
    // In a process group of its own: a Ctrl-C would end the server before the tests that use it.
    detached: true,
    execArgv: [],
    env: { ...process.env, TMPDIR: directory },
  });
  const exited = once(holder, 'exit');
  const order = async (command: 'start' | 'kill' | 'restart' | 'stop') => {
    const obeyed = once(holder, 'message');
    holder.send(command);
    await Promise.race([
      obeyed,
      exited.then(() => Promise.reject(new Error(`PostgreSQL did not ${command}`))),
    ]);
  };
  await order('start');

  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill: () => order('kill'),
    restart: () => order('restart'),
    async stop() {
      await order('stop');
      holder.disconnect();
      await exited;
    },
  };
}
