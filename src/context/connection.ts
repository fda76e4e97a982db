import { createAlarm } from '../kernel/wait/alarm.ts';
import type { Clock } from '../kernel/wait/clock.ts';

/** The connection that a stream of events is written to. */
export type Connection = {
  /** Ends the stream of the request without a result, so that its client comes back (M60). */
  end(): void;
  /** Counts bytes that were handed to the library, which queues them without a bound. */
  wrote(bytes: number): void;
  /** Resolves once the client has taken most of them, or the signal fires. */
  drained(signal: AbortSignal): Promise<void>;
};

/** The same, with what only those who make it may call. */
export type OwnConnection = Connection & {
  /** Counts what the client takes of the answer. */
  watch(response: Response): Response;
  /** Says how its stream is ended; before that it has none. */
  onEnd(end: () => void): void;
};

/** How many bytes may wait for a client. */
const mostWaiting = 512 * 1024;
/** How often a stream looks again although nothing was taken. */
const lookEveryMs = 60_000;

export function createConnection(clock: Clock): OwnConnection {
  const taken = createAlarm(clock);
  let waiting = 0;
  let endStream = () => {};
  return {
    end: () => endStream(),
    onEnd(end) {
      endStream = end;
    },
    wrote(bytes) {
      waiting += bytes;
    },
    async drained(signal) {
      while (waiting > mostWaiting && !signal.aborted) await taken.sleep(lookEveryMs, signal);
    },
    watch(response) {
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!isStream || response.body === null) return response;
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          waiting = Math.max(0, waiting - chunk.byteLength);
          taken.ring();
          controller.enqueue(chunk);
        },
      });
      const { status, headers } = response;
      return new Response(response.body.pipeThrough(counting), { status, headers });
    },
  };
}
