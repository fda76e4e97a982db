import { type Clock, systemClock } from '../time/clock.ts';

/** Lines on their way to a file or terminal. */
export type GatheredLines = {
  write(line: string): void;
  /** Writes the gathered lines at once. Call it last before ending the process. */
  flush(): void;
};

/** Where lines go. */
type LineStream = {
  write(text: string): unknown;
  /** How much of what was written is still buffered, in bytes. */
  readonly writableLength?: number | undefined;
};

/** Bytes: minutes of a busy server's log, for a reader that pauses. */
const mostWaiting = 16 * 1024 * 1024;

/** No reader notices it, and a busy server writes hundreds of lines in it. */
const gatherMs = 10;

/**
 * Writes all lines of 10 milliseconds as one text, since each write is a system call. The process does not end by
 * itself before they are written. If nobody reads the stream, lines are dropped before memory runs out; `onLost`
 * reports how many once someone reads again.
 */
export function gatherLines(
  stream: LineStream,
  {
    onLost = () => {},
    clock = systemClock,
  }: { onLost?(count: number): void; clock?: Pick<Clock, 'sleep'> } = {},
): GatheredLines {
  let [gathered, count, lost] = ['', 0, 0];
  const flush = () => {
    if (gathered === '') return;
    if ((stream.writableLength ?? 0) > mostWaiting) lost += count;
    else handOn();
    [gathered, count] = ['', 0];
  };
  const handOn = () => {
    const missing = lost;
    lost = 0;
    if (missing > 0) onLost(missing);
    stream.write(gathered);
  };
  return {
    write(line) {
      if (gathered === '') void clock.sleep(gatherMs).then(flush);
      gathered += line;
      count += 1;
    },
    flush,
  };
}
