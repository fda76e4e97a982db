import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Alarm, createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import { streamsChannel } from '../../store/queue-store.ts';

/** Tells the readers of streams in this process that there may be something new. */
export type StreamWakes = {
  /** An alarm that rings when events are published, until it is given back. */
  watch(): { readonly alarm: Alarm; close(): void };
  /** Listens while it runs; when it ends, so do the streams. */
  readonly worker: Worker;
  /** Fires when the streams have to end. */
  readonly ended: AbortSignal;
  /** Ends the streams before the worker does, so that nobody waits for their readers. */
  end(): void;
};

/** Nothing hangs on it: each reader looks by itself at every heartbeat. */
const longestSleep = 60_000;
/** Readers look at most so often, however much is published. */
const pauseBetweenWakes = 10;

export function createStreamWakes(options: { database: Database; clock: Clock }): StreamWakes {
  const { database, clock } = options;
  const alarms = new Set<Alarm>();
  const published = createAlarm(clock);
  const ending = new AbortController();

  return {
    watch() {
      const alarm = createAlarm(clock);
      alarms.add(alarm);
      return { alarm, close: () => void alarms.delete(alarm) };
    },
    ended: ending.signal,
    end: () => ending.abort(),
    worker: {
      name: 'events-streams',
      async run(signal) {
        const unlisten = await database.listen(streamsChannel, published.ring);
        while (!signal.aborted) {
          await published.sleep(longestSleep, signal);
          for (const alarm of alarms) alarm.ring();
          await clock.sleep(pauseBetweenWakes, signal);
        }
        ending.abort();
        await unlisten();
      },
    },
  };
}
