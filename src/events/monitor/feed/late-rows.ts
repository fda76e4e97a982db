/** Rows ordered by a number; some may be committed after rows with higher numbers. */
export type LateRows<Row> = {
  /** Returns the new rows in order, each with the number that the reader has then reached. */
  next(head: number): Promise<{ readonly row: Row; readonly reached: number }[]>;
  /** The number that the reader has reached. */
  readonly reached: number;
};

export type LateRowsOptions<Row> = {
  readonly begin: number;
  /** How far behind the reached number rows may still appear. */
  readonly overlap: number;
  readonly limit: number;
  /** Reads rows after a number, in the order of their numbers. */
  read(query: { readonly after: number; readonly limit: number }): Promise<readonly Row[]>;
  numberOf(row: Row): number;
  /** The identity of a row. */
  keyOf(row: Row): string;
};

/**
 * Reads again up to `overlap` behind the reached number, and leaves out rows that were returned already. Never reads
 * before the beginning, so a reader that resumes gets nothing twice. `head` was the highest number before the call: up
 * to there the reader also passes rows that only others may see.
 */
export function createLateRows<Row>(options: LateRowsOptions<Row>): LateRows<Row> {
  const { begin, overlap, limit, read, numberOf, keyOf } = options;
  let reached = begin;
  const told = new Map<string, number>();

  return {
    get reached() {
      return reached;
    },
    async next(head) {
      const after = Math.max(begin, reached - overlap);
      const most = limit + told.size;
      const rows = await read({ after, limit: most });
      const fresh = rows
        .filter((row) => !told.has(keyOf(row)))
        .map((row) => {
          reached = Math.max(reached, numberOf(row));
          told.set(keyOf(row), numberOf(row));
          return { row, reached };
        });
      if (rows.length < most) reached = Math.max(reached, head);
      for (const [key, number] of told) if (number <= reached - overlap) told.delete(key);
      return fresh;
    },
  };
}
