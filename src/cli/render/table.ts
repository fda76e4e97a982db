/** Rows of cells, each column as wide as its widest cell. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  // Not `Math.max(...lengths)`: a call takes some hundred thousand arguments at most.
  const widthOf = (column: number) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0);
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
