/** Calls back when the signal fires, or at once if it has: a listener alone would never hear of it. */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
