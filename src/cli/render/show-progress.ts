import type { Stream } from '../command.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;
const eraseLine = '\r\u001b[K';

/** Says what is being waited for while `work` runs, on a terminal only, and leaves no trace of it. */
export async function showProgress<T>(
  stream: Stream,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!stream.isTTY) return work();
  let turn = 0;
  const draw = () => stream.write(`${eraseLine}${frames[turn++ % frames.length]} ${what}`);
  draw();
  const timer = setInterval(draw, frameMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    stream.write(eraseLine);
  }
}
