import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Brand } from '../model/brand.ts';
import { findPathControl } from './path-control.ts';
import { FileError, requireRegular } from './regular-file.ts';

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

/** The user whose rights suffice for a directory. */
export type Owner = { readonly uid: number; readonly gid: number };

/**
 * The user that root must become before it touches what is below a path (N19): the one who can change where the path leads.
 * `undefined` if nobody but root can, and where this process is not root anyway. Throws `FOREIGN_DIRECTORY` if several can, or one
 * who does not own the directory: whatever root did there, somebody would get another's rights.
 */
export function ownerToBecome(path: string): Owner | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const { others, directory } = findPathControl(path);
  if (others.size === 0) return undefined;
  const { uid, gid } = directory.stats;
  // The group of root would open files to this process that the user cannot open.
  if (others.size === 1 && others.has(uid)) return { uid, gid: gid === 0 ? uid : gid };
  const [who, where] = [...others].find(([user]) => user !== uid) ?? ['anyone', directory.path];
  const changer = who === 'anyone' ? 'others than its owner' : `user ${who}`;
  throw new FileError(
    'FOREIGN_DIRECTORY',
    `As root this command works in no directory that another user could exchange for a third one's: ${where}, on the way to ${resolve(path)}, can be changed by ${changer}. Take that right away (chown, chmod go-w), choose another directory, or run the command as the user it is for.`,
  );
}

/**
 * Gives up root for good if another user controls the path, and goes on as that user. Whatever that user has planted there then
 * leads no further than the user could go alone. Returns who that is, or `undefined` if nothing was given up.
 */
export function giveUpRootFor(path: string): Owner | undefined {
  const owner = ownerToBecome(path);
  if (owner === undefined) return undefined;
  // Node.js starts its debugger on this signal, which that user may send from now on, and a debugger would reach root's terminal.
  process.on('SIGUSR1', () => {});
  try {
    process.setgroups?.([]);
    process.setgid?.(owner.gid);
    process.setuid?.(owner.uid);
  } catch (cause) {
    throw cannotBecome(owner, path, cause);
  }
  if (process.getuid?.() !== owner.uid || process.geteuid?.() !== owner.uid) {
    throw cannotBecome(owner, path, undefined);
  }
  requireReach(owner, path);
  return owner;
}

/** Runs `work`, which must not wait for anything, with the rights of the user who controls the path; root comes back after it. */
function withRightsFor<T>(path: string, work: () => T): T {
  const owner = ownerToBecome(path);
  if (owner === undefined) return work();
  const { setgroups, setegid, seteuid, getgroups, getegid } = process;
  if (!setgroups || !setegid || !seteuid || !getgroups || !getegid) return work();
  const [groups, group] = [getgroups(), getegid()];
  const undo: (() => void)[] = [];
  try {
    try {
      setgroups([]);
      undo.unshift(() => setgroups(groups));
      setegid(owner.gid);
      undo.unshift(() => setegid(group));
      seteuid(owner.uid);
      undo.unshift(() => seteuid(0));
    } catch (cause) {
      throw cannotBecome(owner, path, cause);
    }
    return work();
  } finally {
    for (const step of undo) step();
  }
}

function cannotBecome({ uid }: Owner, path: string, cause: unknown): FileError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new FileError(
    'FOREIGN_DIRECTORY',
    `${resolve(path)} belongs to user ${uid}, and this process may not go on as that user${reason}: run the command as that user.`,
    { cause },
  );
}

/** Throws if the user can reach neither the directory nor this program, which loads more of its code later. */
function requireReach({ uid }: Owner, path: string): void {
  const program = dirname(fileURLToPath(import.meta.url));
  for (const [what, reach] of [
    [resolve(path), () => statSync(resolve(path), { throwIfNoEntry: false })],
    [program, () => accessSync(program, constants.R_OK | constants.X_OK)],
  ] as const) {
    try {
      reach();
    } catch (cause) {
      throw new FileError(
        'FOREIGN_DIRECTORY',
        `This command goes on as user ${uid}, to whom ${resolve(path)} belongs, and that user cannot reach ${what}: a directory above it is closed to others. Open it for passing (chmod o+x), or keep data and program where their user can reach them.`,
        { cause },
      );
    }
  }
}
