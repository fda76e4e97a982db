import { expect, test } from 'vitest';
import { createLateRows } from './feed-parts.ts';

function open(rows: number[], overlap: number, limit = 100) {
  const reads: { after: number; limit: number }[] = [];
  const late = createLateRows<number>({
    begin: 0,
    overlap,
    limit,
    async read(query) {
      reads.push(query);
      return rows
        .filter((row) => row > query.after)
        .sort((a, b) => a - b)
        .slice(0, query.limit);
    },
    numberOf: (row) => row,
    keyOf: String,
  });
  const next = async (head: number) => (await late.next(head)).map(({ row }) => row);
  return { next, reads, late };
}

test('a row that is committed after a later one is reported, and no row is reported twice', async () => {
  const rows = [1, 3];
  const { next } = open(rows, 5);
  expect(await next(3)).toEqual([1, 3]);
  rows.push(2);
  expect(await next(3)).toEqual([2]);
  rows.push(9);
  expect(await next(9)).toEqual([9]);
  expect(await next(9)).toEqual([]);
});

test('rows within the overlap that exceed one page are reported page by page', async () => {
  const rows = Array.from({ length: 50 }, (_, n) => n + 1);
  const { next } = open(rows, 1_000, 20);
  const all = [...(await next(50)), ...(await next(50)), ...(await next(50))];
  expect(all).toEqual(rows);
});

test('rows that the reader may not see are skipped, and not read again', async () => {
  const { next, reads, late } = open([], 0);
  await next(5_000);
  await next(5_000);
  expect(reads.map(({ after }) => after)).toEqual([0, 5_000]);
  expect(late.reached).toBe(5_000);
});
