import { onBehalfOfAll } from './presence.ts';

/**
 * Lets those who ask at the same time share a reading, though none gets what was read before it asked: whoever comes
 * while one is under way shares the next. So many who are told of a change read it at most twice.
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
