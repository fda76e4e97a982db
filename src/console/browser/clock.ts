/** The time of the reader's machine, in milliseconds. Everything else in the pages takes it from here. */
export function now(): number {
  return Date.now();
}

/** Calls back after a while; the answer keeps it from doing so. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
