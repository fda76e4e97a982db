import type { ServerResponse } from 'node:http';
import type { ReportFault } from '../../telemetry/metrics.ts';
import { createBag } from '../../wait/bag.ts';
import type { Clock } from '../../wait/clock.ts';

/** Sends heartbeats on silent streams of server-sent events, with one timer for all of them. */
type Heartbeats = {
  /** Watches a stream until it closes. */
  watch(stream: ServerResponse): void;
};

/** A stream, and how many bytes its connection had sent when it was last looked at. */
type Watched = { readonly stream: ServerResponse; bytesSent: number | undefined };

/** A comment, which readers ignore (WHATWG HTML section 9.2). */
const heartbeat = Buffer.from(':\n\n');
/** Proxies keep a silent connection open for longer than this. */
const longestSilence = 20_000;
/** Looks are at whole multiples of this. */
const betweenLooks = 1_000;
/** A look is at one group of streams, and each group is looked at twice within the longest silence. */
const groupCount = longestSilence / betweenLooks / 2;

/**
 * Heartbeats go straight to the connection. As part of an answer's body, a web stream, they took half of the processor
 * time of idle streams, and made the garbage collector look at all of them (bench/results/events.md). So the body of an
 * event stream must come in whole events: a heartbeat may follow any piece of it.
 */
export function createHeartbeats(clock: Clock, reportFault: ReportFault = () => {}): Heartbeats {
  /** The group of the last look, which new streams join, and the others in the order of their looks. */
  let latest = createBag<Watched>();
  const others = Array.from({ length: groupCount - 1 }, () => createBag<Watched>());
  let watchedCount = 0;
  let looking = new AbortController();

  const look = async ({ signal }: AbortController): Promise<void> => {
    for (;;) {
      // Rounded, because a timer may end a fraction of a millisecond early.
      const next = (Math.round(clock.elapsed() / betweenLooks) + 1) * betweenLooks;
      await clock.sleep(next - clock.elapsed(), signal);
      if (signal.aborted) return;
      others.push(latest);
      latest = others.shift() ?? latest;
      for (const { item } of latest.all()) {
        try {
          beatIfSilent(item);
        } catch (error) {
          item.stream.destroy();
          reportFault(error, 'heartbeat');
        }
      }
    }
  };

  return {
    watch(stream) {
      const group = latest;
      const held = group.add({ stream, bytesSent: undefined });
      watchedCount += 1;
      if (watchedCount === 1) {
        looking = new AbortController();
        void look(looking);
      }
      stream.once('close', () => {
        group.delete(held);
        watchedCount -= 1;
        if (watchedCount === 0) looking.abort();
      });
    },
  };
}

/** Its own heartbeat is among what a stream has sent by the next look, so it gets one at every second look. */
function beatIfSilent(watched: Watched): void {
  const { stream } = watched;
  const bytesSent = stream.socket?.bytesWritten;
  const isSilent = bytesSent !== undefined && bytesSent === watched.bytesSent;
  // A reader that has not taken everything yet gets no heartbeats on top of it.
  const isReady = stream.headersSent && !stream.writableEnded && stream.writableLength === 0;
  if (isSilent && isReady) stream.write(heartbeat);
  watched.bytesSent = bytesSent;
}
