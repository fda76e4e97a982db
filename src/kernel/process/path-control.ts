import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { FileError } from './regular-file.ts';

const mostLinks = 40; // as the kernel of Linux counts

/** Who decides what a path leads to. */
type PathControl = {
  /** The users besides root who can, each with what they can change; `anyone` for a group and for everybody. */
  readonly others: ReadonlyMap<Who, string>;
  /** The last directory of the path that exists, links resolved. */
  readonly directory: Place;
};

type Who = number | 'anyone';
type Place = { readonly path: string; readonly stats: Stats };
type Note = (who: Who, where: string) => void;

/**
 * Who, besides root, can decide what a path leads to: the owners of the directories on the way, those of links included, and
 * everyone who may write to one. In a sticky directory, such as `/tmp`, it is the owner of the entry. A group with the number of
 * the directory's owner counts as that owner. If the path ends at a directory of root to which others may write, that counts, sticky or not.
 *
 * Nobody who is not among them can change later what the path leads to.
 */
export function findPathControl(path: string): PathControl {
  const others = new Map<Who, string>();
  const root = placeAt('/');
  // In a user namespace the system belongs to another number than 0.
  const trusted: readonly Who[] = [0, root.stats.uid];
  const note: Note = (who, where) => {
    if (!trusted.includes(who) && !others.has(who)) others.set(who, where);
  };
  const steps = stepsOf(resolve(path));
  let here = root;
  let links = 0;
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (step === '..') {
      here = placeAt(dirname(here.path));
      continue;
    }
    const next = lookFor(join(here.path, step));
    noteWriters(here, next, note);
    if (next === undefined) return { others, directory: here };
    if (next.stats.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) {
        throw new FileError(
          'FOREIGN_DIRECTORY',
          `${path} is a circle of links: name another path.`,
        );
      }
      const target = readlinkSync(next.path);
      steps.unshift(...stepsOf(target));
      if (isAbsolute(target)) here = root;
      continue;
    }
    if (!next.stats.isDirectory()) return { others, directory: here };
    here = next;
    note(here.stats.uid, here.path);
  }
  if (trusted.includes(here.stats.uid) && isShared(here)) note('anyone', here.path);
  return { others, directory: here };
}

function noteWriters(here: Place, next: Place | undefined, note: Note): void {
  if (!isShared(here)) return;
  const isSticky = (here.stats.mode & 0o1000) !== 0;
  if (!isSticky) note('anyone', here.path);
  else if (next !== undefined) note(next.stats.uid, next.path);
}

/** Whether others than the owner may write there. A group of the owner's number is theirs alone, as systems make it. */
function isShared({ stats: { mode, uid, gid } }: Place): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.');
}

function placeAt(path: string): Place {
  return { path, stats: statSync(path) };
}

function lookFor(path: string): Place | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && { path, stats };
}
