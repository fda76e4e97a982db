/**
 * A statement as SQLite prepares it. It reads the value of a `LIMIT` while it plans, so that giving another one
 * has it prepare the statement again, each time it runs: most of what a short statement costs. Of a value
 * that is part of an expression it reads nothing.
 */
export function sqliteText(strings: readonly string[]): string {
  return strings.join('?').replaceAll('LIMIT ?', 'LIMIT +?');
}
