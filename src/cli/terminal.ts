import type { Stream, Terminal } from './command.ts';
import { plainText } from './plain-text.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;

/**
 * On a terminal, shows what the command waits for while `work` runs, and erases it afterwards. The work may change
 * the text.
 */
export async function showProgress<T>(
  stream: Stream,
  what: string,
  work: (tell: (what: string) => void) => Promise<T>,
): Promise<T> {
  if (!stream.isTTY) return work(() => {});
  let turn = 0;
  let said = what;
  const draw = () =>
    stream.draw(`${eraseLine}${frames[turn++ % frames.length]} ${plainText(said)}`);
  draw();
  const timer = setInterval(draw, frameMs);
  try {
    return await work((next) => {
      said = next;
    });
  } finally {
    clearInterval(timer);
    stream.draw(eraseLine);
  }
}

/** Rows of cells, each column as wide as its widest cell. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  // Not `Math.max(...lengths)`: a call takes some hundred thousand arguments at most.
  const widthOf = (column: number) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0);
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Whether a stream may be written in colours: on a terminal, unless `NO_COLOR` is set (no-color.org). */
export function hasColours(stream: Stream, environment: Terminal['environment']): boolean {
  return stream.isTTY === true && !environment.NO_COLOR;
}

/** Erases the current line of a terminal. Pass it to `draw`: `write` would show it as text. */
export const eraseLine = '\r\u001b[K';
