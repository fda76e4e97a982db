import { createHash } from 'node:crypto';
import { migrations } from '../../src/app/installation/migrations.ts';
import { eventsSettings } from '../../src/events/config.ts';
import type { EventsOptions } from '../../src/events/create-events.ts';
import type { Dialect } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { drawFaults, endOf, type Fault, type FaultKind } from './faults.ts';
import { createObserved, type Violation } from './observed.ts';
import { openRowStore } from './postgres/row-store.ts';
import { createSimulatedPostgres } from './postgres/simulated-postgres.ts';
import { createWorkload, webhooks, workloadLength } from './workload.ts';
import { createCluster } from './world/cluster.ts';
import { createScheduler, LivelockError } from './world/scheduler.ts';
import { createSimulatedRandom } from './world/simulated-random.ts';

export type RunOptions = {
  readonly seed: number;
  /** What goes wrong; drawn by the seed where it is left out. */
  readonly faults?: readonly Fault[] | undefined;
  /** Which faults may be drawn; all unless said otherwise. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Told what happens, line by line. */
  onNote?(line: string): void;
};

export type RunOutcome = {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly violations: readonly Violation[];
  /** The hash of everything that happened: the same for the same seed, faults and code. */
  readonly trace: string;
  readonly steps: number;
  /** Simulated milliseconds. */
  readonly lasted: number;
};

/** So many simulated milliseconds after the last fault, and after the last request, all is as it should be. */
const patience = 60_000;
/** An answer of a node that nothing was wrong with, where the database was well and where it was not. */
const [answerAmongHealthy, answerAmongFaults] = [5_000, 25_000];
/** What may be on its way for each process that was started: all the time, and when all is over. */
const [mostUnderWay, mostLeft] = [80, 45];
/** These leave nodes and database as they are. */
const harmless: readonly FaultKind[] = ['receiver', 'bus', 'clock-set-back'];
const storeFaults: readonly FaultKind[] = ['statement', 'slow-statement', 'silence', 'crash'];

const dialect: Dialect = {
  skipLocked: sql``,
  forUpdate: sql``,
  lock: () => sql``,
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  sortedText: 'TEXT',
};

/** Opens the simulation; each run begins anew, with what is prepared shared by all. */
export function openSimulation(): (options: RunOptions) => Promise<RunOutcome> {
  const schema = migrations.flatMap(({ statements }) => statements(dialect));
  const store =
    openRowStore<Parameters<Parameters<typeof createSimulatedPostgres>[1]['commit']>[0]>(schema);
  const settings = readDefaults();

  return async (options) => {
    const { seed, onNote } = options;
    const random = createSimulatedRandom(seed);
    const nodes = 2 + random.below(2);
    const faults =
      options.faults ??
      drawFaults(createSimulatedRandom(seed ^ 0x5bd1e995), {
        nodes,
        receivers: webhooks,
        until: workloadLength,
        kinds: options.kinds,
      });
    const scheduler = createScheduler();
    const trace = createHash('sha256');
    const note = (text: string) => {
      const line = `${scheduler.now().toFixed(2)} ${text}`;
      trace.update(`${line}\n`);
      onNote?.(line);
    };
    store.reset();
    const hasStoreFaults = faults.some(({ kind }) => storeFaults.includes(kind));
    const observed = createObserved({
      note,
      isCalm: faults.every(({ kind }) => harmless.includes(kind)),
    });
    const longestAnswer = hasStoreFaults ? answerAmongFaults : answerAmongHealthy;
    let lastLease = 0;
    let replays = 0;
    const cluster = createCluster({
      scheduler,
      // With chances of its own, so that others stay as they are.
      server: createSimulatedPostgres(scheduler, store, createSimulatedRandom(seed ^ 0x2545f491)),
      random,
      settings,
      // In every fifth run all events are queued for their subscriptions after the answer.
      subscribersAtOnce: seed % 5 === 4 ? 0 : undefined,
      nodes,
      note,
      onReceipt(receipt) {
        observed.receive(receipt);
        const { receiver, ids, isAnswered } = receipt;
        // Some of what comes is asked for again at once.
        const [id] = ids;
        if (!isAnswered || id === undefined || replays >= 2 || random.below(4) > 0) return;
        replays += 1;
        const asked = { lane: receiver, id, receivedBefore: observed.times(receiver, id) };
        scheduler.after(cluster.latency() * 4, () => void workload.replay(asked));
      },
      onTick: observed.handle,
      onWork: observed.work,
      onLease() {
        lastLease = scheduler.now();
      },
      onMeasured({ node, path, took }) {
        if (took <= longestAnswer) return;
        observed.violate('answers come in time', `${path} of n${node} took ${Math.round(took)} ms`);
      },
    });
    const isCrowded = seed % 3 === 2;
    const workload = createWorkload({ cluster, scheduler, random, observed, nodes, isCrowded });

    let isOver = false;
    let failure: unknown;
    const play = async () => {
      for (let node = 0; node < nodes; node++) await cluster.start(node);
      await workload.setUp();
      const began = scheduler.now();
      const deadline = began + Math.max(endOf(faults), workloadLength) + patience;
      cluster.schedule(faults);
      let isAnswered = false;
      void workload.run().then(() => {
        isAnswered = true;
      }, fail);
      await cluster.sleep(Math.max(endOf(faults), 1_000));
      const calm = scheduler.now();
      const isClockTrue = faults.every(({ kind }) => kind !== 'clock-set-back');
      let isHealthy = false;
      let misjudged: readonly string[] = [];
      while (scheduler.now() < deadline) {
        isHealthy =
          isAnswered &&
          lastLease > calm &&
          observed.isEverythingThere() &&
          (await workload.isHealthy());
        if (isHealthy) misjudged = await workload.judgeTokens({ isClockTrue });
        // Meanwhile a node may have promised one more replay.
        isHealthy &&= misjudged.length === 0 && observed.isEverythingThere();
        if (isHealthy) break;
        await cluster.sleep(500);
      }
      observed.judge({ isClockTrue });
      for (const text of misjudged) observed.violate('revoked is refused, and nothing else', text);
      if (lastLease <= calm) observed.violate('leased work goes on', `last at ${lastLease}`);
      if (!isAnswered) observed.violate('all is well in the end', 'not all requests were answered');
      else if (!isHealthy && !(await workload.isHealthy())) {
        observed.violate('all is well in the end', 'a node is not healthy or takes no events');
      }
      isOver = true;
    };
    const fail = (error: unknown) => {
      failure ??= error;
      isOver = true;
    };
    void play().catch(fail);
    try {
      await scheduler.runUntil(Number.MAX_SAFE_INTEGER, () => isOver);
    } catch (error) {
      if (!(error instanceof LivelockError)) throw error;
      observed.violate('all is well in the end', error.message);
    }
    if (failure !== undefined) throw failure;
    judgeQueues();
    return {
      seed,
      faults,
      violations: observed.violations,
      trace: trace.digest('hex'),
      steps: scheduler.steps,
      lasted: scheduler.now(),
    };

    /** Whoever waits for anything waits with a deadline, so that every queue of a node shows here. */
    function judgeQueues(): void {
      const started = nodes + faults.filter(({ kind }) => kind === 'kill').length;
      const judge = (count: number, most: number, when: string) => {
        if (count <= most * started) return;
        observed.violate('queues are bounded', `${count} waited ${when} for ${started} processes`);
      };
      judge(scheduler.mostPending, mostUnderWay, 'at once');
      judge(scheduler.pending, mostLeft, 'in the end');
    }
  };
}

/** The settings as they are by default, with retries that are no longer apart than the patience allows. */
function readDefaults(): EventsOptions['settings'] {
  const defaults = Object.entries(eventsSettings).map(([name, setting]) => [
    name,
    typeof setting.default === 'string' ? setting.kind.parse(setting.default) : setting.default,
  ]);
  // Each setting by its name, as its kind reads it.
  return { ...(Object.fromEntries(defaults) as EventsOptions['settings']), retryMax: 10_000 };
}
