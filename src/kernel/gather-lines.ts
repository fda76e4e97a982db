/** Lines on their way to a file or terminal. */
export type GatheredLines = {
  write(line: string): void;
  /** Writes at once what was gathered. Whoever ends the process calls it last. */
  flush(): void;
};

/**
 * Hands on what is written in one turn of the event loop as one text, since each write is a call of the
 * system. Nothing waits longer than that turn, and a process does not end by itself before.
 */
export function gatherLines(write: (text: string) => void): GatheredLines {
  let gathered = '';
  const flush = () => {
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    write(text);
  };
  return {
    write(line) {
      if (gathered === '') setImmediate(flush);
      gathered += line;
    },
    flush,
  };
}
