import type { Clock } from '../../../src/kernel/wait/clock.ts';
import type { EventBus } from '../../../src/kernel/work/event-bus.ts';
import type { ExchangeEffect } from '../faults.ts';

/** A bus that loses, repeats or delays deliveries, or fails after it has delivered. */
export function createFaultyBus(
  bus: EventBus,
  { clock, effect }: { clock: Clock; effect: () => ExchangeEffect | undefined },
): EventBus {
  return {
    ...bus,
    async deliver(consumer, event, signal) {
      const found = effect();
      if (found === 'drip') await clock.sleep(2_000, signal);
      if (found === 'reset' || found === 'refuse') throw new Error('The bus was reset.');
      if (found === 'drop') {
        await clock.sleep(10_000, signal);
        throw new Error('The bus did not answer.');
      }
      await bus.deliver(consumer, event, signal);
      if (found === 'repeat') await bus.deliver(consumer, event, signal);
      if (found === 'reset-after') throw new Error('The bus was reset after it had delivered.');
    },
  };
}
