/** Few sizes, so that few statements are prepared, whatever the number of rows. */
const chunkSizes = [100, 10, 5, 2, 1] as const;

/** Parts of a list for statements that take many rows, in order. */
export function* inChunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let from = 0;
  for (const size of chunkSizes) {
    for (; from + size <= rows.length; from += size) yield rows.slice(from, from + size);
  }
}
