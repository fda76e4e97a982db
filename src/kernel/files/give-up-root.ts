import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError } from './file-error.ts';
import { findPathControl } from './path-control.ts';

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
export function withRightsFor<T>(path: string, work: () => T): T {
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
