import type { Database } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Worker } from '../../kernel/process/worker.ts';
import { createAlarm } from '../../kernel/wait/alarm.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createLeasedWorker } from '../../kernel/work/lease.ts';
import { folderTypes } from '../applications/own-event-types.ts';
import type { NewEvent } from '../model/event.ts';
import type { Publisher } from '../publishing/create-publisher.ts';
import { beginFolder, loadFolder, updateFolder } from '../store/folder-store.ts';
import {
  diffFiles,
  type FileChange,
  type FilesByPath,
  grainMs,
  isSettled,
  scanFolder,
} from './scan-folder.ts';

type FolderSourceOptions = {
  /** The name under which events are published. */
  readonly folder: string;
  readonly path: string;
  readonly publisher: Pick<Publisher, 'publishWith'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
  /** Called after each scan of the folder, once all its changes are published. */
  readonly onLooked?: () => void;
};

/** Finds what the watcher missed, for instance on network file systems, which do not notify. */
const scanEveryMs = 60_000;
/** Gathers a burst of changes, such as the unpacking of an archive, into one scan. */
const gatherMs = 100;
/**
 * Publishes the changes of a directory (E14.14): the difference between the stored index and a scan, so that changes
 * made while no process watched are published like any others. The watcher only says when to scan. Each event is stored
 * in one transaction with its change of the index. Files that the first scan finds are not changes.
 */
export function createFolderSource(options: FolderSourceOptions): Worker {
  const { folder, path, database, clock, random, onFailure } = options;

  return createLeasedWorker({
    name: `folder-source-${folder}`,
    database,
    clock,
    random,
    onFailure,
    async work(signal) {
      // Loaded where a folder is watched: most servers watch none.
      const { watch } = await import('chokidar');
      const alarm = createAlarm(clock);
      let stirs = 0;
      const watcher = watch(path, { ignoreInitial: true, followSymlinks: false, atomic: false });
      const stir = () => {
        stirs += 1;
        alarm.ring();
      };
      watcher.on('all', stir);
      // The watcher does not report what changed before it was ready.
      watcher.on('ready', stir);
      watcher.on('error', onFailure);
      try {
        let known: FilesByPath | undefined = await loadFolder(database, folder);
        while (!signal.aborted) {
          known = await lookAtFolder(known, { ...options, stirs: () => stirs, signal });
          options.onLooked?.();
          const isSettling = [...known.values()].some(({ hash }) => hash !== '');
          await alarm.sleep(isSettling ? grainMs : scanEveryMs, signal);
          await clock.sleep(gatherMs, signal);
        }
      } finally {
        await watcher.close();
      }
    },
  });
}

type FolderLook = {
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
async function lookAtFolder(
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

/** The event of a change in a watched folder (E14.14). */
function toFolderEvent(
  change: FileChange,
  { folder, id, now }: { folder: string; id: string; now: number },
): NewEvent {
  const { kind, file } = change;
  const name = nameOf(folder, file.path);
  return {
    id,
    source: `//folder/${folder}`,
    type: folderTypes[kind],
    subject: `//folder/${name}`,
    occurredAt: now,
    data: {
      file: {
        name,
        path: file.path,
        size: file.size,
        modifyTime: new Date(Number(BigInt(file.modifiedAt) / 1_000_000n)).toISOString(),
        ...(kind === 'moved' ? { previousPath: change.from.path } : {}),
      },
    },
  };
}

/** A path may hold characters that a resource name cannot, such as spaces and question marks. */
function nameOf(folder: string, path: string): string {
  return [folder, ...path.split('/').map(encodeURIComponent)].join('/');
}
