import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { drawText } from '../../../kernel/draw-text.ts';
import { createLeasedWorker } from '../../../kernel/lease/leased-worker.ts';
import { createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Random } from '../../../kernel/random.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { beginFolder, loadFolder, updateFolder } from '../../store/folder-store.ts';
import { diffFiles, type FilesByPath } from './diff-files.ts';
import { toFolderEvent } from './folder-events.ts';
import { grainMs, isSettled, scanFolder } from './scan-folder.ts';

export type FolderSourceOptions = {
  /** The name under which events are published. */
  readonly folder: string;
  readonly path: string;
  readonly publisher: Pick<Publisher, 'publishInTransaction'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
  /** Told after each look at the folder, once everything it found is told. */
  readonly onLooked?: () => void;
};

/** How often something stirred in the folder since it is watched, and when to stop. */
type Watching = { readonly stirs: () => number; readonly signal: AbortSignal };

/** Finds what the watcher missed, as on network file systems that tell nothing. */
const scanEveryMs = 60_000;
/** Lets a burst of changes, such as the unpacking of an archive, come together. */
const gatherMs = 100;
/** While changes keep coming, they are told all the same. */
const scansForOneMoment = 5;
/** Bounds a transaction; a crash between two leaves the rest to the next scan. */
const filesAtOnce = 500;

/**
 * Publishes the changes of a directory (E14.14): the difference between what stands in the store and
 * what a scan finds, so that changes made while nobody looked are told like any others. The watcher
 * only says when to scan. Each event is stored with the change of the index that it tells of. What is
 * in a folder when it is first looked at is no change.
 */
export function createFolderSource(options: FolderSourceOptions): Worker {
  const { folder, path, publisher, database, clock, random, onFailure } = options;

  /**
   * Scans until nothing stirred meanwhile, and once more where something is missing: a file on its way
   * between two folders may have been seen in neither.
   */
  async function scanAtRest(known: FilesByPath, { stirs, signal }: Watching) {
    for (let round = 1; ; round++) {
      const [before, at] = [stirs(), clock.now()];
      const files = await scanFolder(path, { known, now: at, clock, signal });
      const isMissing = round === 1 && [...known.keys()].some((name) => !files.has(name));
      if ((stirs() === before && !isMissing) || round === scansForOneMoment) return { files, at };
    }
  }

  /** Looks at the folder, tells what is new since `known`, and answers what is known now. */
  async function look(known: FilesByPath | undefined, watching: Watching): Promise<FilesByPath> {
    const { files, at } = await scanAtRest(known ?? new Map(), watching);
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
      await database.transaction(async (tx) => {
        await updateFolder(tx, { folder, gone, found });
        await publisher.publishInTransaction(tx, events);
      });
    }
    // Another identity or hash alone is no event, but the next scan goes by it.
    const told = new Set(changes.map(({ file }) => file.path));
    const noted = [...next.values()].filter(
      (file) => !told.has(file.path) && isNoted(known.get(file.path), file),
    );
    for (const found of inParts(noted)) {
      await database.transaction((tx) => updateFolder(tx, { folder, found }));
    }
    return next;
  }

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
      // Of what came before it was ready the watcher says nothing.
      watcher.on('ready', stir);
      watcher.on('error', onFailure);
      try {
        let known: FilesByPath | undefined = await loadFolder(database, folder);
        while (!signal.aborted) {
          known = await look(known, { stirs: () => stirs, signal });
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

/** Files whose time now vouches for their content need no hash any more. */
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
