/**
 * Calls back once when the signal fires, or at once if it has: a listener alone would never hear of it.
 * The answered function takes the listener off again; call it when the wait is over, because a signal
 * that lives as long as the process keeps every listener that it was given.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}
