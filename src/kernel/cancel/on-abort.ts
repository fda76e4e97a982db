/**
 * Calls back once when the signal fires, or at once if it has fired: a listener would not be called any
 * more. The returned function removes the listener; call it when the wait is over, because a signal
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
