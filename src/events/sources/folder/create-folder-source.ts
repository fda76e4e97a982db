import type { Database } from '../../../kernel/database/database.ts';
import { createLeasedWorker } from '../../../kernel/lease/leased-worker.ts';
import { createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { loadFolder } from '../../store/folder-store.ts';
import type { FilesByPath } from './diff-files.ts';
import { lookAtFolder } from './look-at-folder.ts';
import { grainMs } from './scan-folder.ts';

export type FolderSourceOptions = {
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
