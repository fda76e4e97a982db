import type { Clock } from '../../../kernel/time/clock.ts';

/** Sends heartbeats on idle streams, with one timer for all of them. */
export type Heartbeats = {
  /** Calls `beat` when nothing was sent for a while, until it is closed. */
  watch(beat: () => void): Heartbeat;
};

export type Heartbeat = {
  /** To be called when something was sent. */
  onSent(): void;
  close(): void;
};

type Watched = { lastSign: number; readonly beat: () => void };

/** Proxies keep a silent connection open for longer than this. */
const longestSilence = 20_000;
/** Streams are checked at whole multiples of this. */
const betweenLooks = 1_000;

export function createHeartbeats(clock: Clock): Heartbeats {
  const watched = new Set<Watched>();
  let looking: AbortController | undefined;

  const look = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await clock.sleep(lastLook() + betweenLooks - clock.elapsed(), signal);
      // A stream that would be silent for too long by the next look gets its heartbeat now.
      const longestAgo = lastLook() + betweenLooks - longestSilence;
      for (const stream of watched) {
        if (stream.lastSign >= longestAgo) continue;
        stream.lastSign = clock.elapsed();
        stream.beat();
      }
    }
  };
  const lastLook = () => Math.floor(clock.elapsed() / betweenLooks) * betweenLooks;

  return {
    watch(beat) {
      const stream: Watched = { lastSign: clock.elapsed(), beat };
      watched.add(stream);
      if (looking === undefined) {
        looking = new AbortController();
        void look(looking.signal);
      }
      return {
        onSent() {
          stream.lastSign = clock.elapsed();
        },
        close() {
          watched.delete(stream);
          if (watched.size > 0) return;
          looking?.abort();
          looking = undefined;
        },
      };
    },
  };
}
