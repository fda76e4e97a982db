/**
 * A path without the slashes at its end. A pattern such as `/\/+$/` would look at the rest of a run of
 * slashes from each slash in it, so its time grows with the square of what a caller sends (F2).
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith('/', end) && end > 0) end -= 1;
  return path.slice(0, end);
}
