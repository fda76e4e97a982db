import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import {
  createPostgresDatabase,
  dropPostgresDatabase,
} from '../../tests/support/create-postgres-database.ts';
import { findFreePort } from '../../tests/support/find-free-port.ts';
import { findProgram } from '../../tests/support/installed-programs.ts';
import { type MeasuredServer, startServer } from '../server/start-server.ts';
import { findProcess, processorTimeOfTree } from './processor-time-of-tree.ts';

/** Several processes of the product on one database, as an operator runs them. */
export type Cluster = {
  readonly urls: readonly string[];
  /** The totals so far. */
  read(): Promise<Used>;
  stop(): Promise<void>;
};

/** Milliseconds of processor time, and transactions of the database. */
export type Used = {
  readonly processes: number;
  readonly database: number;
  readonly nats: number;
  readonly transactions: number;
};

export async function openCluster(options: {
  readonly processes: number;
  readonly hasNats: boolean;
  /** The server on which to create the database. */
  readonly postgresUrl: string;
  /** The node of the chain for the quotes. */
  readonly rpcUrl: string;
  /** The origin of the webhooks. It gets events without a handshake. */
  readonly receiver: string;
}): Promise<Cluster> {
  const { processes, hasNats, postgresUrl, rpcUrl, receiver } = options;
  const database = await createPostgresDatabase(postgresUrl);
  const nats = hasNats ? await startNats() : undefined;
  const environment = {
    TRADEWIND_CHAINS: '1',
    TRADEWIND_RPC_1: rpcUrl,
    TRADEWIND_RATE_LIMIT: '10000000',
    TRADEWIND_WEBHOOK_TRUSTED: receiver,
    TRADEWIND_DATABASE_URL: database,
    TRADEWIND_SECRET_KEY: 'the same for all of them',
    TRADEWIND_PUBLIC_URL: `http://localhost:${await findFreePort()}`,
    ...(nats === undefined ? {} : { TRADEWIND_NATS_URL: nats.url }),
  };
  const servers: MeasuredServer[] = [];
  const urls: string[] = [];
  // One after the other: the first one creates the tables.
  for (let n = 0; n < processes; n++) {
    const own = String(await findFreePort());
    servers.push(await startServer({ environment: { ...environment, TRADEWIND_PORT: own } }));
    urls.push(`http://127.0.0.1:${own}`);
  }
  const { port } = new URL(postgresUrl);
  const master = findProcess(
    (command) => command[0]?.endsWith('/postgres') === true && command.includes(port),
  );
  const statistics = new Client({ connectionString: postgresUrl });
  await statistics.connect();

  return {
    urls,
    async read() {
      const name = new URL(database).pathname.slice(1);
      const counted = await statistics.query(
        'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1',
        [name],
      );
      return {
        processes: servers.reduce((sum, server) => sum + server.readCpuMs(), 0),
        database: processorTimeOfTree(master),
        nats: nats === undefined ? 0 : processorTimeOfTree(nats.pid),
        transactions: Number(counted.rows[0]?.count),
      };
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await nats?.stop();
      await statistics.end();
      await dropPostgresDatabase(database);
    },
  };
}

/** Starts NATS with JetStream, which stores in its own temporary folder. */
export async function startNats(): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-bench-nats-'));
  const argv = ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', folder];
  const child = spawn(findProgram('nats'), argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /Listening for client connections on (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    child.stderr.resume();
    return {
      url: `nats://${address}`,
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGTERM');
        await ended;
        rmSync(folder, { recursive: true });
      },
    };
  }
  throw new Error('nats-server did not start: install it, or leave BENCH_NATS at off.');
}
