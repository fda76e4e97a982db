import { EventEmitter } from 'node:events';
import type { PoolConfig } from 'pg';
import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import type { Process, Scheduler } from '../world/scheduler.ts';
import type { Reply, Session, SimulatedPostgres, TransactionStatus } from './simulated-postgres.ts';

/** What happens to one statement on its way. */
export type CallFault =
  | { readonly effect: 'none' }
  | { readonly effect: 'delay'; readonly milliseconds: number }
  | { readonly effect: 'lost-before' | 'lost-after' | 'silent-before' | 'silent-after' };

/** The network between a process and the server. */
export type Wire = {
  readonly scheduler: Scheduler;
  readonly server: SimulatedPostgres;
  readonly process: Process;
  /** Milliseconds in one direction. */
  latency(): number;
  /** Asked for each statement that is sent. */
  onCall(text: string): CallFault;
  /** Whether connections can be made now; if not, an attempt gets no answer at all. */
  isReachable(): boolean;
  /** The connections that are open. */
  readonly connections: Set<{ silence(): void; abandon(): void }>;
  note(text: string): void;
};

type Query = {
  readonly text: string;
  readonly values?: readonly SqlValue[];
  readonly name?: string;
};
type Result = { rows: Record<string, SqlValue>[]; rowCount: number | null; command: string };
type Pending = { resolve(result: Result): void; reject(error: Error): void };

/** The clients and pools of `pg`, as far as this program uses them, over simulated connections. */
export function createSimulatedDriver(wire: Wire) {
  const { scheduler, server, process } = wire;

  class Client extends EventEmitter {
    readonly #config: PoolConfig;
    readonly #pending: Pending[] = [];
    #session: Session | undefined;
    #status: TransactionStatus = 'I';
    #isSilent = false;
    #isOver = false;
    #arrivesAt = 0;
    #answersAt = 0;
    readonly connection: { stream: { destroy(): void } };

    constructor(config: PoolConfig) {
      super();
      this.#config = config;
      this.connection = { stream: { destroy: () => this.#destroy() } };
    }

    get isOver(): boolean {
      return this.#isOver;
    }

    silence(): void {
      this.#isSilent = true;
    }

    /** The process has died: the operating system closes its connections. */
    abandon(): void {
      this.#toServer(() => this.#session?.close());
    }

    getTransactionStatus(): TransactionStatus {
      return this.#status;
    }

    escapeIdentifier(name: string): string {
      return `"${name.replaceAll('"', '""')}"`;
    }

    async connect(): Promise<this> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const patience = Number(this.#config.connectionTimeoutMillis ?? 0);
      const giveUp = () => {
        this.#isSilent = true;
        this.#end(new Error('timeout expired'));
        reject(new Error('timeout expired'));
      };
      const stop = patience > 0 ? scheduler.after(patience, giveUp, process) : () => {};
      const isReachable = wire.isReachable();
      if (isReachable) this.#toServer(() => this.#open(stop, resolve, reject));
      await promise;
      wire.connections.add(this);
      return this;
    }

    #open(stop: () => void, resolve: () => void, reject: (error: Error) => void): void {
      const limits = this.#config as Record<string, unknown>;
      const limit = (name: string) => Number(limits[name] ?? 0);
      this.#session = server.connect(
        {
          statement: limit('statement_timeout'),
          lock: limit('lock_timeout'),
          idleInTransaction: limit('idle_in_transaction_session_timeout'),
        },
        {
          reply: (reply) => this.#fromServer(() => this.#hear(reply)),
          notice: (channel, payload) =>
            this.#fromServer(() => this.emit('notification', { channel, payload })),
          closed: (error) => this.#fromServer(() => this.#end(error ?? lost())),
        },
      );
      const isUp = this.#session !== undefined;
      this.#fromServer(() => {
        stop();
        if (isUp) return resolve();
        const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        this.#isOver = true;
        reject(error);
      });
    }

    query(query: string | Query, values: readonly SqlValue[] = []): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const text = typeof query === 'string' ? query : query.text;
      const given = typeof query === 'string' ? values : (query.values ?? []);
      if (this.#isOver) {
        const error = new Error('Client has encountered a connection error and is not queryable');
        scheduler.after(0, () => reject(error), process);
        return promise;
      }
      this.#pending.push({ resolve, reject });
      const fault = wire.onCall(text);
      if (fault.effect === 'silent-before') this.#isSilent = true;
      const ask = () => {
        if (fault.effect === 'lost-before') return this.#lose();
        this.#session?.ask(text, given);
        if (fault.effect === 'silent-after') this.#isSilent = true;
        if (fault.effect === 'lost-after') this.#lose();
      };
      this.#toServer(ask, fault.effect === 'delay' ? fault.milliseconds : 0);
      return promise;
    }

    async end(): Promise<void> {
      if (this.#isOver) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.once('end', resolve);
      this.#toServer(() => this.#session?.close());
      await promise;
    }

    /** Packets arrive in the order they were sent, or not at all. */
    #toServer(run: () => void, delay = 0): void {
      this.#arrivesAt = Math.max(this.#arrivesAt, scheduler.now() + wire.latency() + delay);
      scheduler.after(this.#arrivesAt - scheduler.now(), () => {
        if (!this.#isSilent) run();
      });
    }

    #fromServer(run: () => void): void {
      this.#answersAt = Math.max(this.#answersAt, scheduler.now() + wire.latency());
      const hear = () => {
        if (!this.#isSilent && !this.#isOver) run();
      };
      scheduler.after(this.#answersAt - scheduler.now(), hear, process);
    }

    #hear(reply: Reply): void {
      this.#status = reply.status;
      const waiting = this.#pending.shift();
      if ('error' in reply) return void waiting?.reject(reply.error);
      const { columns, rows, rowCount, command } = reply.answer;
      waiting?.resolve({
        command,
        rowCount,
        rows: rows.map((row) =>
          Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
        ),
      });
    }

    /** Breaks the connection; both sides notice. */
    #lose(): void {
      this.#session?.close();
    }

    #destroy(): void {
      if (this.#isOver) return;
      this.#toServer(() => this.#session?.close());
      scheduler.after(0, () => this.#end(lost()), process);
    }

    #end(error: Error): void {
      if (this.#isOver) return;
      this.#isOver = true;
      wire.connections.delete(this);
      const [active, ...others] = this.#pending.splice(0);
      active?.reject(error);
      for (const { reject } of others) reject(lost());
      if (this.listenerCount('error') > 0 && active === undefined) this.emit('error', error);
      this.emit('end');
    }
  }

  type Pooled = Client & { release(destroy?: boolean | Error): void };
  type Waiter = {
    resolve(client: Pooled): void;
    reject(error: Error): void;
    stop(): void;
    isOver: boolean;
  };

  class Pool extends EventEmitter {
    readonly #config: PoolConfig;
    readonly #idle: Pooled[] = [];
    readonly #waiting: Waiter[] = [];
    readonly #all = new Set<Pooled>();
    #isEnding = false;

    constructor(config: PoolConfig) {
      super();
      this.#config = config;
    }

    get idleCount(): number {
      return this.#idle.length;
    }

    get waitingCount(): number {
      return this.#waiting.length;
    }

    get totalCount(): number {
      return this.#all.size;
    }

    connect(): Promise<Pooled> {
      const { promise, resolve, reject } = Promise.withResolvers<Pooled>();
      if (this.#isEnding) {
        reject(new Error('Cannot use a pool after calling end on the pool'));
        return promise;
      }
      const patience = Number(this.#config.connectionTimeoutMillis ?? 0);
      const giveUp = () => {
        const index = this.#waiting.indexOf(waiter);
        if (index >= 0) this.#waiting.splice(index, 1);
        waiter.isOver = true;
        reject(new Error('timeout exceeded when trying to connect'));
      };
      const stop = patience > 0 ? scheduler.after(patience, giveUp, process) : () => {};
      const waiter: Waiter = { resolve, reject, stop, isOver: false };
      this.#waiting.push(waiter);
      this.#serve();
      return promise;
    }

    async query(query: string | Query, values?: readonly SqlValue[]): Promise<Result> {
      const client = await this.connect();
      try {
        const result = await client.query(query, values);
        client.release();
        return result;
      } catch (error) {
        client.release(client.isOver);
        throw error;
      }
    }

    async end(): Promise<void> {
      this.#isEnding = true;
      await Promise.all([...this.#all].map((client) => client.end()));
    }

    #serve(): void {
      while (this.#waiting.length > 0) {
        const client = this.#idle.pop();
        if (client !== undefined) this.#lend(client, this.#waiting.shift()!);
        else if (this.#all.size < (this.#config.max ?? 10)) void this.#open(this.#waiting.shift()!);
        else return;
      }
    }

    #lend(client: Pooled, waiter: Waiter): void {
      waiter.stop();
      let isReleased = false;
      client.release = (destroy) => {
        if (isReleased) throw new Error('A client was released twice.');
        isReleased = true;
        this.emit('release', destroy instanceof Error ? destroy : undefined, client);
        if (destroy || client.isOver || this.#isEnding) this.#remove(client);
        else this.#idle.push(client);
        this.#serve();
      };
      this.emit('acquire', client);
      waiter.resolve(client);
    }

    async #open(waiter: Waiter): Promise<void> {
      const client = new Client(this.#config) as Pooled;
      this.#all.add(client);
      client.on('error', (error) => {
        const index = this.#idle.indexOf(client);
        if (index < 0) return;
        this.#idle.splice(index, 1);
        this.#remove(client);
        this.emit('error', error, client);
      });
      try {
        await client.connect();
      } catch (error) {
        this.#remove(client);
        waiter.stop();
        waiter.reject(error as Error);
        this.#serve();
        return;
      }
      this.emit('connect', client);
      if (!waiter.isOver) return this.#lend(client, waiter);
      this.#idle.push(client);
      this.#serve();
    }

    #remove(client: Pooled): void {
      if (!this.#all.delete(client)) return;
      this.emit('remove', client);
      if (!client.isOver) void client.end();
    }
  }

  // Has every member of `pg` that this program uses, and no others.
  return { Pool, Client } as unknown as Pick<typeof import('pg'), 'Pool' | 'Client'>;
}

function lost(): Error {
  return new Error('Connection terminated unexpectedly');
}
