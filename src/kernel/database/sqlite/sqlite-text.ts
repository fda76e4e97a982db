/**
 * A statement as SQLite prepares it. Where a value stands bare, SQLite may read it while it plans: the number of a
 * `LIMIT`, or a bound that decides whether a partial index can be used. It then prepares the statement again
 * each time it runs, which is most of what a short statement costs. A value that is part of an expression is
 * the same value and is not read.
 */
export function sqliteText(strings: readonly string[]): string {
  return strings.join('+?');
}
