import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('what is ours instead of a library has its gain, a date of the last year and a command that exists [Y14]', () => {
  const text = readFileSync('docs/dependencies.md', 'utf8');
  const [, table = ''] = text.split('## Ours instead of a library');
  const rows = table
    .split('\n')
    .filter((line) => /^\| (?!Ours|---)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [, ours = '', instead = '', gain = '', measured = ''] = row
      .split('|')
      .map((cell) => cell.trim());
    expect([ours, instead, gain], row).not.toContain('');
    if (measured.startsWith('kept for that')) continue;
    const [, year, month] = /^(\d{4})-(\d{2}),/.exec(measured) ?? [];
    const age = Date.now() - Date.UTC(Number(year), Number(month) - 1);
    expect(age, `${ours}: measure it again`).toBeLessThan(400 * 24 * 3_600_000);
    const [, command = ''] = /node (bench\/[\w/-]+\.ts)/.exec(measured) ?? [];
    expect(existsSync(command), row).toBe(true);
  }
});
