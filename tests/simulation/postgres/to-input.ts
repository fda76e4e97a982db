import type { SQLInputValue } from 'node:sqlite';
import type { SqlValue } from '../../../src/kernel/database/sql.ts';

/** A value as SQLite takes it: whole numbers as such, which it would else take for real ones. */
export function toInput(value: SqlValue): SQLInputValue {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
