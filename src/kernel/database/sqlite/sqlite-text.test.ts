import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sql } from '../sql.ts';
import { sqliteText } from './sqlite-text.ts';

test('keeps the value of a limit from what SQLite plans by', () => {
  const { strings } = sql`SELECT a FROM t WHERE b = ${1} ORDER BY a LIMIT ${2} OFFSET ${3}`;
  expect(sqliteText(strings)).toBe('SELECT a FROM t WHERE b = ? ORDER BY a LIMIT +? OFFSET ?');
});

test('limits all the same', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3), (4)');
  const { strings } = sql`SELECT a FROM t ORDER BY a LIMIT ${2} OFFSET ${1}`;
  expect(database.prepare(sqliteText(strings)).all(2n, 1n)).toEqual([{ a: 2 }, { a: 3 }]);
});

test('finds every limit of the stores, which are written on the line of their value', () => {
  const sources = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const apart = sources.filter((path) => /LIMIT\s{2,}|LIMIT\s*\n/.test(readFileSync(path, 'utf8')));
  expect(apart).toEqual([]);
});
