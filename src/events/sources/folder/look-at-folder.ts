import type { Database } from '../../../kernel/database/database.ts';
import { drawText } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { beginFolder, updateFolder } from '../../store/folder-store.ts';
import { diffFiles, type FilesByPath } from './diff-files.ts';
import { toFolderEvent } from './folder-events.ts';
import { isSettled, scanFolder } from './scan-folder.ts';

export type FolderLook = {
  readonly folder: string;
  readonly path: string;
  readonly publisher: Pick<Publisher, 'publishWith'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** How often the watcher has reported something so far. */
  stirs(): number;
  readonly signal: AbortSignal;
};

/** The most scans before changes are published, although more keep coming. */
const scansForOneMoment = 5;
/** The most files in one transaction; after a crash between two, the next scan finds the rest. */
const filesAtOnce = 500;

/** Scans the folder, publishes what changed since `known`, and returns the files as they are known now. */
export async function lookAtFolder(
  known: FilesByPath | undefined,
  look: FolderLook,
): Promise<FilesByPath> {
  const { folder, publisher, database, clock, random } = look;
  const { files, at } = await scanAtRest(known ?? new Map(), look);
  const next = withoutHashes(files, at);
  if (known === undefined) {
    await database.transaction(async (tx) => {
      await beginFolder(tx, folder);
      for (const found of inParts([...next.values()])) await updateFolder(tx, { folder, found });
    });
    return next;
  }
  const changes = diffFiles(known, files);
  for (const some of inParts(changes)) {
    const events = some.map((change) => {
      const id = drawText(random, 12);
      return toFolderEvent(change, { folder, id, now: clock.now() });
    });
    const gone = some.flatMap((change) => {
      if (change.kind === 'deleted') return change.file;
      return change.kind === 'moved' ? change.from : [];
    });
    // A file that was moved and changed stands in two changes.
    const paths = new Set(some.map(({ file }) => file.path));
    const found = [...paths].flatMap((name) => next.get(name) ?? []);
    await publisher.publishWith(events, (tx) => updateFolder(tx, { folder, gone, found }));
  }
  // A new identity or hash alone is no event, but the next scan compares with it.
  const told = new Set(changes.map(({ file }) => file.path));
  const noted = [...next.values()].filter(
    (file) => !told.has(file.path) && isNoted(known.get(file.path), file),
  );
  for (const found of inParts(noted)) {
    await database.transaction((tx) => updateFolder(tx, { folder, found }));
  }
  return next;
}

/**
 * Scans until nothing changed during a scan, and once more if a file is missing: a scan may miss a file that moves
 * between two folders.
 */
async function scanAtRest(known: FilesByPath, { path, clock, stirs, signal }: FolderLook) {
  for (let round = 1; ; round++) {
    const [before, at] = [stirs(), clock.now()];
    const files = await scanFolder(path, { known, now: at, clock, signal });
    const isMissing = round === 1 && [...known.keys()].some((name) => !files.has(name));
    if ((stirs() === before && !isMissing) || round === scansForOneMoment) return { files, at };
  }
}

/** Files whose modification time is now reliable need no hash any more. */
function withoutHashes(files: FilesByPath, at: number): FilesByPath {
  return new Map(
    [...files.values()].map((file) => [
      file.path,
      isSettled(file, at) ? { ...file, hash: '' } : file,
    ]),
  );
}

type Noted = { readonly identity: string; readonly hash: string };

function isNoted(before: Noted | undefined, { identity, hash }: Noted): boolean {
  return before?.identity !== identity || before.hash !== hash;
}

function inParts<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += filesAtOnce)
    parts.push(items.slice(at, at + filesAtOnce));
  return parts;
}
