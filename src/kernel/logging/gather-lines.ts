import { type Clock, systemClock } from '../time/clock.ts';

/** Lines on their way to a file or terminal. */
export type GatheredLines = {
  write(line: string): void;
  /** Writes at once what was gathered. Whoever ends the process calls it last. */
  flush(): void;
};

/** Where lines go. */
type LineStream = {
  write(text: string): unknown;
  /** How much of what was written nobody has taken yet. */
  readonly writableLength?: number | undefined;
};

/** Minutes of a busy server, for a reader that pauses. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * Hands on what is written in one turn of the event loop as one text, since each write is a call of the
 * system. Nothing waits longer than that turn, and a process does not end by itself before. Where nobody
 * reads what was handed on, lines are lost before the memory is full; `onLost` tells how many, once
 * there is a reader again.
 */
export function gatherLines(
  stream: LineStream,
  {
    onLost = () => {},
    clock = systemClock,
  }: { onLost?(count: number): void; clock?: Pick<Clock, 'turn'> } = {},
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
      if (gathered === '') void clock.turn().then(flush);
      gathered += line;
      count += 1;
    },
    flush,
  };
}
