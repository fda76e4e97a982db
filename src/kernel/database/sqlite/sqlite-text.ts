/**
 * The text that SQLite prepares, with `+?` for each value. SQLite's planner may read the value of a bare `?`: the
 * number of a `LIMIT`, or a bound that decides whether a partial index can be used. It then prepares the statement
 * again at each run, which is most of the cost of a short statement. The planner does not read a value inside an
 * expression, and the `+` does not change it.
 */
export function sqliteText(strings: readonly string[]): string {
  return strings.join('+?');
}
