import type { Clock } from '../wait/clock.ts';
import type { Worker } from './worker.ts';

type Supervisor = {
  /** Fires the workers' signals, last started first, waiting for each; resolves when all have returned. */
  stop(): Promise<void>;
};

type SupervisorOptions = {
  readonly workers: readonly Worker[];
  readonly clock: Clock;
  /** The part of a logger that it writes to. */
  readonly logger: { error(facts: object, message: string): void };
  readonly health: Health;
};

const firstPause = 250;
const longestPause = 30_000;

/**
 * Runs workers until stopped. A worker that throws or returns early is logged, makes the process
 * unhealthy, and is restarted after a pause that doubles up to half a minute. A worker that does not
 * move within its time makes the process unhealthy until it moves again.
 */
export function startWorkers({ workers, clock, logger, health }: SupervisorOptions): Supervisor {
  const running = workers.map((worker) => {
    const stop = new AbortController();
    const { move, ended } = watchMoves(worker, stop.signal);
    return { stop, ended: Promise.all([keepRunning(worker, stop.signal, move), ended]) };
  });

  function watchMoves({ name, movesWithin }: Worker, signal: AbortSignal) {
    let movedAt = clock.elapsed();
    let isStill = false;
    const tell = (hindrance: string | undefined) => {
      isStill = hindrance !== undefined;
      health.report(`${name} moves`, hindrance);
    };
    const move = () => {
      movedAt = clock.elapsed();
      if (isStill) tell(undefined);
    };
    const watch = async (within: number): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(within / 4, signal);
        const still = clock.elapsed() - movedAt;
        tell(still > within ? `has not moved for ${Math.round(still / 1_000)} s` : undefined);
      }
    };
    return { move, ended: movesWithin === undefined ? undefined : watch(movesWithin) };
  }

  async function keepRunning(worker: Worker, signal: AbortSignal, move: () => void): Promise<void> {
    for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      const startedAt = clock.elapsed();
      try {
        await worker.run(signal, move);
        if (signal.aborted) return;
        logger.error({ worker: worker.name }, 'worker returned without being asked to');
      } catch (error) {
        logger.error({ worker: worker.name, err: error }, 'worker failed');
      }
      // A worker that ran longer than the longest pause starts over with a short one.
      if (clock.elapsed() - startedAt > longestPause) pause = firstPause;
      health.report(worker.name, 'failed and is restarted');
      await clock.sleep(pause, signal);
      health.report(worker.name, undefined);
    }
  }

  return {
    async stop() {
      for (const { stop, ended } of running.toReversed()) {
        stop.abort();
        await ended;
      }
    },
  };
}

/** Whether the process can serve now, and if not, why: the content of `/health`. */
export type Health = {
  /** Sets or clears the reason for which one part keeps the process from serving. */
  report(part: string, hindrance: string | undefined): void;
  /** The reasons, by part; empty when the process is ready. */
  hindrances(): Readonly<Record<string, string>>;
};

/** A process begins unready: `starting` is a reason until it is cleared. */
export function createHealth(): Health {
  const hindrances = new Map<string, string>([['process', 'starting']]);
  return {
    report(part, hindrance) {
      if (hindrance === undefined) hindrances.delete(part);
      else hindrances.set(part, hindrance);
    },
    hindrances: () => Object.fromEntries(hindrances),
  };
}
