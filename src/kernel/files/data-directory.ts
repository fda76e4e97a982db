import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '../brand.ts';
import { FileError } from './file-error.ts';
import { giveUpRootFor, type Owner, ownerToBecome, withRightsFor } from './give-up-root.ts';
import { requireRegular } from './regular-file.ts';

/**
 * The path of a data directory that this process may touch. Whatever opens files there asks for this type, and only the functions of
 * this file give it. So no command can forget to give up root before (N19).
 */
export type DataDirectory = Brand<string, 'DataDirectory'>;

const besideDatabase = ['', '-wal', '-shm', '-journal'];

/** The names of all files of a data directory that outlast the process that made them. */
export const dataFileNames: readonly string[] = [
  ...besideDatabase.map((ending) => `tradewind.db${ending}`),
  ...besideDatabase.map((ending) => `tradewind.db.lock${ending}`),
  'master.key',
  'operator.token',
];

/**
 * Enters a data directory. If it belongs to another user, root becomes that user for good. Throws `FOREIGN_DIRECTORY` where that
 * does not work, and `NOT_A_FILE` if a link, pipe, socket or directory has the name of one of our files, since SQLite would follow
 * the one and wait for the other.
 */
export function enterDataDirectory(
  path: string,
  {
    make = false,
    onOwner = () => {},
  }: {
    /** Makes the directory if it is missing. */
    readonly make?: boolean;
    /** Called when root was given up. */
    readonly onOwner?: (owner: Owner) => void;
  } = {},
): DataDirectory {
  const owner = giveUpRootFor(path);
  if (owner !== undefined) onOwner(owner);
  if (make && process.geteuid?.() === 0) makeAsRoot(path);
  return checked(path);
}

/**
 * What `work` reads in a data directory, with the rights of its owner; root comes back after it. `work` must not wait for anything.
 * Returns `undefined` if there is no such directory. Throws as {@link enterDataDirectory} does.
 */
export function lookIntoDataDirectory<T>(
  path: string,
  work: (dataDir: DataDirectory) => T,
): T | undefined {
  if (!existsSync(path)) return undefined;
  return withRightsFor(path, () => work(checked(path)));
}

/** In a directory such as `/tmp` somebody else may make it first. */
function makeAsRoot(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    return; // Opening the database says what is wrong.
  }
  if (ownerToBecome(path) === undefined) return;
  throw new FileError(
    'FOREIGN_DIRECTORY',
    `${path} was made by another user at this moment: look at what is there, then run the command again.`,
  );
}

function checked(path: string): DataDirectory {
  for (const name of dataFileNames) requireRegular(join(path, name));
  return path as DataDirectory;
}
