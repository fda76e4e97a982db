import type { Clock } from './clock.ts';

/**
 * Returns a function that resolves in the next turn of the event loop, at the same moment for all who call it in this
 * one. Each step that follows then runs for all of them back to back, while its code and tables are in the processor's
 * caches.
 */
export function shareTurn(clock: Clock): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= clock.turn().then(() => {
      next = undefined;
    });
    return next;
  };
}
