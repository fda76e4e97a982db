import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { Clock } from '../wait/clock.ts';
import { createHealth, startWorkers } from './supervisor.ts';
import type { Worker } from './worker.ts';

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

function start(workers: Worker[]) {
  const lines: string[] = [];
  const pauses: number[] = [];
  const health = createHealth();
  health.report('process', undefined);
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    turn: async () => {},
  };
  const logger = createLogger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
  return { supervisor: startWorkers({ workers, clock, logger, health }), lines, pauses, health };
}

describe('startWorkers', () => {
  it('stops workers in reverse order, each fully before the next [H10]', async () => {
    const order: string[] = [];
    const worker = (name: string): Worker => ({
      name,
      async run(signal) {
        await untilAborted(signal);
        await Promise.resolve();
        order.push(name);
      },
    });
    const { supervisor } = start([worker('first'), worker('second')]);
    await supervisor.stop();
    expect(order).toEqual(['second', 'first']);
  });

  it('starts a failing worker again with growing pauses and logs the cause [H10]', async () => {
    let runs = 0;
    const steady = Promise.withResolvers<void>();
    const { supervisor, lines, pauses, health } = start([
      {
        name: 'relay',
        async run(signal) {
          runs += 1;
          if (runs <= 9) throw new Error(`fault ${runs}`);
          steady.resolve();
          await untilAborted(signal);
        },
      },
    ]);
    await steady.promise;
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(lines.join()).toContain('fault 9');
    expect(health.hindrances()).toEqual({});
    await supervisor.stop();
  });

  it('treats a worker that returns by itself as failed, and reports it to health while it is down [H10, H11, T7]', async () => {
    const seen: unknown[] = [];
    const steady = Promise.withResolvers<void>();
    const health = createHealth();
    let runs = 0;
    const supervisor = startWorkers({
      workers: [
        {
          name: 'early',
          async run(signal) {
            runs += 1;
            if (runs === 1) return;
            steady.resolve();
            await untilAborted(signal);
          },
        },
      ],
      clock: {
        now: () => 0,
        elapsed: () => 0,
        sleep: async () => {
          seen.push(health.hindrances());
        },
        turn: async () => {},
      },
      logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
      health,
    });
    await steady.promise;
    expect(seen).toEqual([{ process: 'starting', early: 'failed and is restarted' }]);
    await supervisor.stop();
  });

  it('reports a worker without progress to health until it makes progress [N10, T7]', async () => {
    const clock = createFakeClock();
    const health = createHealth();
    health.report('process', undefined);
    const logger = createLogger({ level: 'silent', format: 'json', write: () => {} });
    let moveAgain = () => {};
    const workers: Worker[] = [
      {
        name: 'relay',
        movesWithin: 60_000,
        run(signal, move = () => {}) {
          moveAgain = move;
          return untilAborted(signal);
        },
      },
    ];
    const supervisor = startWorkers({ workers, clock, logger, health });
    const passes = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 15_000) {
        await clock.whenAsleep();
        clock.advance(15_000);
      }
      await clock.whenAsleep();
    };
    await passes(60_000);
    expect(health.hindrances()).toEqual({});
    await passes(15_000);
    expect(health.hindrances()).toEqual({ 'relay moves': 'has not moved for 75 s' });
    moveAgain();
    expect(health.hindrances()).toEqual({});
    await supervisor.stop();
  });
});
