import type { Clock } from '../../kernel/time/clock.ts';
import { orLate } from '../../kernel/time/or-late.ts';
import { ServerError } from './server-error.ts';

const mebibyte = 2 ** 20;
/** Far more than any honest answer: the longest ones list tokens, or hold an image that a tool returned. */
const mostBytes = 64 * mebibyte;
const mostSeconds = 60;

/** Who answers, and whether the answer is an event stream, which may last for any time. */
export type BodySource = {
  readonly origin: string;
  readonly isEventStream: boolean;
  readonly clock: Clock;
};

/**
 * The body of an answer, which fails with a {@link ServerError} when it is larger or slower than any honest one (N9):
 * `ANSWER_TOO_LARGE` or `ANSWER_TOO_SLOW`. In an event stream only the size of each event is bounded.
 */
export function boundBody(
  body: ReadableStream<Uint8Array>,
  { origin, isEventStream, clock }: BodySource,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const end = clock.elapsed() + mostSeconds * 1_000;
  const count = isEventStream ? countSinceEvent() : countAll();

  async function readPart() {
    if (isEventStream) return reader.read();
    const milliseconds = Math.max(0, end - clock.elapsed());
    return orLate(reader.read(), { clock, milliseconds, late: () => Promise.reject(slow(origin)) });
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await readPart();
          if (done) return controller.close();
          if (count(value) > mostBytes) throw large(origin);
          controller.enqueue(new Uint8Array(value));
        } catch (error) {
          void reader.cancel(error).catch(() => {}); // the connection is over either way
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function countAll(): (part: Uint8Array) => number {
  let bytes = 0;
  return (part) => {
    bytes += part.length;
    return bytes;
  };
}

/** Counts the bytes since the last blank line, which ends an event. Two parts may share that blank line. */
function countSinceEvent(): (part: Uint8Array) => number {
  let bytes = 0;
  let before: Uint8Array = new Uint8Array();
  return (part) => {
    const text = Buffer.concat([before, part]);
    const end = Math.max(...['\n\n', '\r\r', '\n\r\n'].map((blank) => text.lastIndexOf(blank)));
    bytes = end < 0 ? bytes + part.length : text.length - end;
    before = text.subarray(-2);
    return bytes;
  };
}

function large(origin: string): ServerError {
  return new ServerError(
    'ANSWER_TOO_LARGE',
    `${origin} answers with more than ${mostBytes / mebibyte} MiB, and the rest was not read: check that it is the server you mean, or name another one with --server.`,
  );
}

function slow(origin: string): ServerError {
  return new ServerError(
    'ANSWER_TOO_SLOW',
    `${origin} has not finished its answer within ${mostSeconds} seconds: try again, or name another server with --server.`,
  );
}
