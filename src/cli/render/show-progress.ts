import type { Stream } from '../command.ts';
import { eraseLine } from '../erase-line.ts';
import { plainText } from '../plain-text.ts';

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
