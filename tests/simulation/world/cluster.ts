import type { EventsOptions } from '../../../src/events/create-events.ts';
import { type ExchangeEffect, endOf, type Fault } from '../faults.ts';
import { type CallFault, createSimulatedDriver, type Wire } from '../postgres/simulated-driver.ts';
import type { SimulatedPostgres } from '../postgres/simulated-postgres.ts';
import { createProcessClock, type ProcessClock } from './process-clock.ts';
import { createProcess, type Process, type Scheduler } from './scheduler.ts';
import type { SimulatedRandom } from './simulated-random.ts';
import { createReceivers, type Receipt } from './simulated-receivers.ts';
import { type SimulatedNode, startNode } from './start-node.ts';

/** The answer that a client gets. It gets none if the connection was lost or its patience ran out. */
export type Heard = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly body: any;
  readonly response: Response;
};

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long the client waits, in milliseconds. */
  readonly patience?: number;
};

/** How long a node took to answer while no fault hit it. */
export type Measured = { readonly node: number; readonly path: string; readonly took: number };

export type ClusterOptions = {
  readonly scheduler: Scheduler;
  readonly server: SimulatedPostgres;
  readonly random: SimulatedRandom;
  readonly settings: EventsOptions['settings'];
  /** See `EventsOptions`. */
  readonly subscribersAtOnce: number | undefined;
  readonly nodes: number;
  note(text: string): void;
  onReceipt(receipt: Receipt): void;
  onTick(tick: { key: string; payload: unknown }): void;
  onWork(key: string): void;
  onLease(): void;
  onMeasured(measured: Measured): void;
};

type Place = {
  process: Process;
  clock: ProcessClock;
  node: SimulatedNode | undefined;
  readonly wire: { connections: Wire['connections'] };
  readonly lost: Set<() => void>;
  /** Counts the faults that hit it, and its starts. */
  troubles: number;
};

export type Cluster = ReturnType<typeof createCluster>;

/** Nodes, clients and faults between them. */
export function createCluster(options: ClusterOptions) {
  const { scheduler, server, random, note } = options;
  const latency = () => random.between(0.1, 2);
  const receivers = createReceivers({ scheduler, latency, onReceipt: options.onReceipt });
  const busEffects = new Map<number, ExchangeEffect>();
  /** Faults that wait for the next statements of a node. */
  const armed = new Map<number, { left: number; strike(): CallFault }[]>();
  const unreachable = new Set<number>();
  const places: Place[] = [];
  let clockOffset = 0;

  const onCall = (index: number, text: string): CallFault => {
    note(`n${index} ${text.trim().slice(0, 40).replaceAll(/\s+/g, ' ')}`);
    const waiting = armed.get(index);
    const first = waiting?.find((one) => one.left-- <= 0);
    if (waiting === undefined || first === undefined) return { effect: 'none' };
    waiting.splice(waiting.indexOf(first), 1);
    return first.strike();
  };

  const start = async (index: number): Promise<void> => {
    const process = createProcess(`n${index}`);
    const clock = createProcessClock(scheduler, process, random.between(-100, 100));
    clock.set(clockOffset);
    const connections: Wire['connections'] = new Set();
    const place: Place = {
      process,
      clock,
      node: undefined,
      wire: { connections },
      lost: new Set(),
      troubles: (places[index]?.troubles ?? 0) + 1,
    };
    places[index] = place;
    const driver = createSimulatedDriver({
      scheduler,
      server,
      process,
      latency,
      connections,
      note,
      isReachable: () => !unreachable.has(index),
      onCall: (text) => onCall(index, text),
    });
    for (;;) {
      try {
        place.node = await startNode({
          driver,
          clock,
          random,
          settings: options.settings,
          subscribersAtOnce: options.subscribersAtOnce,
          outbound: receivers.clientOf(process),
          busEffect: () => busEffects.get(index),
          onTick: options.onTick,
          onWork: options.onWork,
          onLease: options.onLease,
          onProblem: (line) => note(`n${index} ${JSON.parse(line).msg ?? line}`),
        });
        place.troubles += 1;
        return;
      } catch (error) {
        // Starts it again, as a process supervisor would.
        note(`n${index} did not start: ${error instanceof Error ? error.message : error}`);
        await clock.sleep(1_000);
      }
    }
  };

  const kill = (index: number) => {
    const place = places[index]!;
    place.process.isDead = true;
    place.node = undefined;
    place.troubles += 1;
    for (const connection of place.wire.connections) connection.abandon();
    for (const lose of place.lost) lose();
    note(`n${index} killed`);
  };

  /**
   * Runs something inside a node and returns its outcome; undefined if the node is gone. A client whose `patience` runs
   * out hangs up. The node learns of that with a delay, and not while it is paused.
   */
  const inNode = <T>(
    index: number,
    run: (node: SimulatedNode, clock: ProcessClock, hungUp: AbortSignal) => Promise<T>,
    patience = 12_000,
  ): Promise<{ value: T } | { error: unknown } | undefined> =>
    new Promise((resolve) => {
      const place = places[index]!;
      const caller = new AbortController();
      const answer = (heard: { value: T } | { error: unknown } | undefined) => {
        place.lost.delete(lose);
        stop();
        scheduler.after(latency(), () => resolve(heard));
      };
      const lose = () => answer(undefined);
      const hangUp = () => {
        scheduler.after(1, () => caller.abort(), place.process);
        lose();
      };
      const stop = scheduler.after(patience, hangUp);
      place.lost.add(lose);
      const { node } = place;
      if (node === undefined) return lose();
      scheduler.after(
        latency(),
        () =>
          run(node, place.clock, caller.signal).then(
            (value) => answer({ value }),
            (error) => answer({ error }),
          ),
        place.process,
      );
    });

  const arm = (index: number, left: number, strike: () => CallFault) =>
    armed.set(index, [...(armed.get(index) ?? []), { left, strike }]);

  const strike = (fault: Fault): void => {
    note(`fault ${JSON.stringify(fault)}`);
    switch (fault.kind) {
      case 'pause':
        return void arm(fault.node, fault.call, () => {
          const place = places[fault.node]!;
          place.troubles += 1;
          place.process.isPaused = true;
          scheduler.after(fault.milliseconds, () => {
            place.troubles += 1;
            scheduler.resume(place.process);
          });
          return { effect: 'none' };
        });
      case 'kill':
        return void arm(fault.node, fault.call, () => {
          kill(fault.node);
          scheduler.after(fault.milliseconds, () => void start(fault.node));
          return { effect: 'none' };
        });
      case 'clock-set-back':
        clockOffset -= fault.milliseconds;
        for (const { clock } of places) clock.set(clockOffset);
        return;
      case 'statement':
        return void arm(fault.node, fault.call, () => {
          places[fault.node]!.troubles += 1;
          return { effect: fault.effect };
        });
      case 'slow-statement':
        return void arm(fault.node, fault.call, () => {
          places[fault.node]!.troubles += 1;
          return { effect: 'delay', milliseconds: fault.milliseconds };
        });
      case 'silence': {
        const place = places[fault.node]!;
        place.troubles += 1;
        for (const connection of [...place.wire.connections]) connection.silence();
        unreachable.add(fault.node);
        scheduler.after(fault.milliseconds, () => unreachable.delete(fault.node));
        return;
      }
      case 'crash':
        for (const place of places) place.troubles += 1;
        server.crash();
        scheduler.after(fault.milliseconds, server.restart);
        return;
      case 'receiver':
        receivers.set(fault.receiver, fault.effect);
        scheduler.after(fault.milliseconds, () => receivers.set(fault.receiver, undefined));
        return;
      case 'bus':
        busEffects.set(fault.node, fault.effect);
        scheduler.after(fault.milliseconds, () => void busEffects.delete(fault.node));
        return;
    }
  };

  return {
    start,
    inNode,
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => scheduler.after(milliseconds, resolve)),
    /** Schedules each fault at its time, counted from now. */
    schedule(faults: readonly Fault[]): void {
      for (const fault of faults) scheduler.after(fault.at, () => strike(fault));
      // A fault that waits for a statement which never came must not strike after the end.
      scheduler.after(endOf(faults), () => armed.clear());
    },
    async call(index: number, { method, path, headers = {}, body, patience }: Call) {
      const [began, troubles] = [scheduler.now(), places[index]!.troubles];
      const run = async (
        { edge }: SimulatedNode,
        _clock: ProcessClock,
        signal: AbortSignal,
      ): Promise<Heard> => {
        const request = new Request(publicUrlOf(path), {
          method,
          headers,
          signal,
          ...(body === undefined ? {} : { body }),
        });
        const response = await edge.fetch(request);
        const isStream = response.headers.get('content-type') === 'text/event-stream';
        const text = isStream ? '' : await response.text();
        return { status: response.status, body: text === '' ? {} : JSON.parse(text), response };
      };
      const heard = await inNode(index, run, patience);
      const took = scheduler.now() - began;
      note(
        `${method} ${path} n${index} ${heard && 'value' in heard ? heard.value.status : 'lost'}`,
      );
      if (places[index]!.troubles === troubles) options.onMeasured({ node: index, path, took });
      if (heard !== undefined && 'error' in heard) throw heard.error;
      return heard?.value;
    },
    /** Whether the process of a node runs and is not paused. */
    isRunning: (index: number) => {
      const { node, process } = places[index]!;
      return node !== undefined && !process.isPaused;
    },
    processOf: (index: number) => places[index]!.process,
    latency,
  };
}

function publicUrlOf(path: string): string {
  return `http://localhost:8787${path}`;
}
