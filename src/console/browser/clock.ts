/** The time of the reader's machine, in milliseconds. Everything else in the pages takes it from here. */
export function now(): number {
  return Date.now();
}

/** Calls back after a while, unless the function that it returns is called before. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
