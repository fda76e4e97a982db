import { createHash } from 'node:crypto';
import { migrations } from '../../src/app/installation/installation-of.ts';
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
  /** The faults of the run; drawn by the seed if left out. */
  readonly faults?: readonly Fault[] | undefined;
  /** The kinds of faults that may be drawn; all by default. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Called with each line of the trace. */
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

/** Within so many simulated milliseconds after the last fault and the last request, the system must have recovered. */
const patience = 60_000;
/** The longest time for an answer of a healthy node, in milliseconds: without and with faults of the database. */
const [answerAmongHealthy, answerAmongFaults] = [5_000, 25_000];
/** How many scheduled entries may be pending per started process: at any time, and at the end. */
const [mostUnderWay, mostLeft] = [80, 45];
/** These leave nodes and database healthy. */
const harmless: readonly FaultKind[] = ['receiver', 'bus', 'clock-set-back'];
const storeFaults: readonly FaultKind[] = ['statement', 'slow-statement', 'silence', 'crash'];

const dialect: Dialect = {
  skipLocked: sql``,
  forUpdate: sql``,
  lock: () => sql``,
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  sortedText: 'TEXT',
};

/** Opens the simulation. Runs share the schema and prepared statements; each starts with fresh tables. */
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
      // With a random sequence of its own, so that its draws do not change those of others.
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
        // Requests the replay of some events right after they arrive.
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
        // During these checks a node may have promised one more replay.
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

    /** Every wait in a node has a deadline in the scheduler, so a queue that grows shows in the pending entries. */
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

/** The default settings, but with retries so close together that they fit into `patience`. */
function readDefaults(): EventsOptions['settings'] {
  const defaults = Object.entries(eventsSettings).map(([name, setting]) => [
    name,
    typeof setting.default === 'string' ? setting.kind.parse(setting.default) : setting.default,
  ]);
  // Holds because each default is parsed by the kind of its setting.
  return { ...(Object.fromEntries(defaults) as EventsOptions['settings']), retryMax: 10_000 };
}
