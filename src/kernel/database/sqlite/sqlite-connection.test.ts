import { constants, DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sql } from '../sql.ts';
import { sqliteText } from './sqlite-connection.ts';

test.each([
  ['a limit', sql`SELECT a FROM t ORDER BY a LIMIT ${2}`],
  ['a bound that a partial index begins at', sql`SELECT a FROM t WHERE a > ${2}`],
])('prepares a statement once, whatever the values of %s are', (_, { strings, values }) => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a INTEGER); CREATE INDEX large ON t (a) WHERE a > 1');
  const statement = database.prepare(sqliteText(strings));
  let planned = 0;
  // SQLite calls the authorizer while it prepares a statement, and only then.
  database.setAuthorizer(() => {
    planned += 1;
    return constants.SQLITE_OK;
  });
  const planOf = (given: number) => {
    planned = 0;
    statement.all(...values.map((value) => BigInt(Number(value) + given)));
    return planned;
  };

  // Setting the authorizer makes SQLite prepare every statement again.
  expect(planOf(0)).toBeGreaterThan(0);
  expect([1, 2, 3].map(planOf)).toEqual([0, 0, 0]);
});

test('gives a statement its values all the same', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3), (4)');
  const { strings } = sql`SELECT a FROM t WHERE a > ${0} ORDER BY a LIMIT ${2} OFFSET ${1}`;
  expect(database.prepare(sqliteText(strings)).all(0n, 2n, 1n)).toEqual([{ a: 2 }, { a: 3 }]);
});
