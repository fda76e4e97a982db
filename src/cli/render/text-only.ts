import { escapeControls } from '../../kernel/text/escape-controls.ts';
import type { Stream, SystemStream } from '../command.ts';

/** A line break, a tab, or what the command line itself sends to a terminal: a colour, and "erase this line". */
const mayBeOwn = /\r?\p{Cc}\[(?:K|\d{1,2}m)|[\n\t]/gu;
/** All that most texts have, such as the lines of a log. */
const beyondPlain = /[^\x20-\x7e\n\t]/;

/**
 * The stream through which all that is shown goes: whatever a server has put into its names and messages
 * reaches the terminal as text (F16). What is written has no colours. What is drawn has them on a terminal
 * alone; text of others in it is kept free of them where it is rendered, by `plainText`.
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
