import type { SQLInputValue } from 'node:sqlite';
import type { SqlValue } from '../../../src/kernel/database/sql.ts';

/** A value as SQLite takes it. Whole numbers become bigints, since SQLite would store numbers as REAL. */
export function toInput(value: SqlValue): SQLInputValue {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
