/** How rows of a table are told apart. */
export type TableKeys = {
  readonly primary: readonly string[];
  /** Columns of the other unique indexes, by the name of the index. */
  readonly unique: ReadonlyMap<string, readonly string[]>;
  /** Whether the engine generates the primary key. */
  readonly isIdentity: boolean;
};

/** A statement in SQLite's dialect, with what PostgreSQL would lock for it. */
export type Statement = {
  readonly text: string;
  readonly command: string;
  /** The table it writes to. */
  readonly target: string | undefined;
  readonly isInsert: boolean;
  readonly locking: Locking | undefined;
};

/** `FOR UPDATE`: a query for the keys of the rows to lock, and which of the statement's values it takes. */
export type Locking = {
  readonly table: string;
  readonly isSkipping: boolean;
  readonly text: string;
  readonly values: readonly number[];
};

const lockClause = /\bFOR UPDATE(?: OF (\w+))?( SKIP LOCKED)?/;

/** Reads a statement as the stores write them. Throws if this model does not know its kind. */
export function readStatement(text: string, tables: ReadonlyMap<string, TableKeys>): Statement {
  if (/\bFOR (?:SHARE|NO KEY|KEY)|\bNOWAIT\b/i.test(text)) throw new Error(`Unknown lock: ${text}`);
  const plain = text.replaceAll(/\$\d+/g, '?');
  const unlocked = plain.replace(lockClause, '');
  const written = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/.exec(unlocked);
  const target = written?.[2];
  const isInsert = written?.[1] === 'INSERT INTO';
  const command = written?.[1]?.split(' ')[0] ?? 'SELECT';
  const locking = readLocking(plain, tables);
  if (target === undefined) return { text: unlocked, command, target, isInsert, locking };
  const keys = tables.get(target);
  if (keys === undefined) throw new Error(`There is no table ${target}: ${text}`);
  const columns = keyColumns(keys).map((column) => `${target}.${column}`);
  const returning = /\bRETURNING\b/.test(unlocked) ? ',' : ' RETURNING';
  return {
    text: `${unlocked}${returning} ${columns.join(', ')}`,
    command,
    target,
    isInsert,
    locking,
  };
}

/** The columns that `RETURNING` appends to each written row, so that its keys are known. */
export function keyColumns({ primary, unique }: TableKeys): string[] {
  return [...primary, ...[...unique.values()].flat()];
}

function readLocking(text: string, tables: ReadonlyMap<string, TableKeys>): Locking | undefined {
  const clause = lockClause.exec(text);
  if (clause === null) return undefined;
  const start = beginningOfSelect(text, clause.index);
  const select = text.slice(start, clause.index);
  const list = topLevel(select, /\bSELECT\b/gi).at(-1);
  const from = topLevel(select, /\bFROM\b/gi).find((index) => index > (list ?? 0));
  if (list === undefined || from === undefined) throw new Error(`Nothing is locked by: ${text}`);
  const table = clause[1] ?? /^FROM\s+(\w+)/i.exec(select.slice(from))?.[1] ?? '';
  const keys = tables.get(table);
  if (keys === undefined) throw new Error(`There is no table ${table} to lock: ${text}`);
  const [head, tail] = [select.slice(0, list), select.slice(from)];
  const first = count(text.slice(0, start));
  const skipped = count(select.slice(list, from));
  const values = [
    ...Array.from({ length: count(head) }, (_, index) => first + index),
    ...Array.from({ length: count(tail) }, (_, index) => first + count(head) + skipped + index),
  ];
  const columns = keys.primary.map((column) => `${table}.${column}`).join(', ');
  const isSkipping = clause[2] !== undefined;
  return { table, isSkipping, text: `${head}SELECT ${columns} ${tail}`, values };
}

function beginningOfSelect(text: string, end: number): number {
  let depth = 0;
  for (let index = end - 1; index >= 0; index--) {
    if (text[index] === ')') depth += 1;
    else if (text[index] === '(' && depth-- === 0) return index + 1;
  }
  return 0;
}

/** The positions of a word outside of all parentheses. */
function topLevel(text: string, word: RegExp): number[] {
  const depths: number[] = [];
  let depth = 0;
  for (const character of text) {
    if (character === ')') depth -= 1;
    depths.push(depth);
    if (character === '(') depth += 1;
  }
  return [...text.matchAll(word)].map(({ index }) => index).filter((index) => depths[index] === 0);
}

function count(text: string): number {
  return text.split('?').length - 1;
}
