import { escapeControls } from '../kernel/text/text.ts';
import type { Stream, SystemStream } from './command.ts';

const longest = 1_000;

/**
 * Makes text from outside safe for a terminal: the name of a token may hold anything, even a sequence that
 * moves the cursor. Control and invisible characters become spaces, and very long texts are cut.
 */
export function plainText(text: string): string {
  const plain = withoutControls(text);
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** The same for text of several lines, which is not cut. */
export function plainLines(text: string): string {
  return text.split('\n').map(withoutControls).join('\n');
}

function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}

/** A line break, a tab, or what the command line itself sends to a terminal: a colour, and "erase this line". */
const mayBeOwn = /\r?\p{Cc}\[(?:K|\d{1,2}m)|[\n\t]/gu;
/** Most texts, such as the lines of a log, have nothing that this matches. */
const beyondPlain = /[^\x20-\x7e\n\t]/;

/**
 * The stream for all output: whatever a server puts into names and messages reaches the terminal as text
 * (F16). `write` shows no colours. `draw` shows them only on a terminal; renderers keep them out of text of
 * others by `plainText`.
 */
export function textOnly(stream: SystemStream): Stream {
  const show = (text: string, taken: (() => void) | undefined) =>
    taken === undefined ? stream.write(text) : stream.write(text, taken);
  return {
    write: (text, taken) => show(showAsText(text, false), taken),
    draw: (text) => stream.write(showAsText(text, stream.isTTY === true)),
    get writableLength() {
      return stream.writableLength;
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
  };
}

function showAsText(text: string, mayColour: boolean): string {
  if (!beyondPlain.test(text)) return text;
  let shown = '';
  let end = 0;
  for (const { 0: found, index } of text.matchAll(mayBeOwn)) {
    const isOwn = found.length === 1 || (mayColour && found.includes('\u001b['));
    shown += escapeControls(text.slice(end, index)) + (isOwn ? found : escapeControls(found));
    end = index + found.length;
  }
  return shown + escapeControls(text.slice(end));
}
