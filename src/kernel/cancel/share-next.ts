import { onBehalfOfAll } from './presence.ts';

/**
 * Lets concurrent callers share a read, but never returns what was read before the call: callers who come while a
 * read is running share the next one. So any number of callers notified of a change cause at most two reads.
 */
export function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  const begin = (): Promise<T> => {
    const reading = onBehalfOfAll(read);
    const over = () => {
      if (running === settled) running = undefined;
    };
    const settled: Promise<unknown> = reading.then(over, over);
    running = settled;
    return reading;
  };

  return () => {
    if (running === undefined) return begin();
    next ??= running.then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}
