import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createFolderSource } from '../../src/events/sources/create-folder-source.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from './create-data-dir.ts';
import { openTestDelivery } from './open-test-delivery.ts';
import { queuedEvents } from './queued-events.ts';
import { startWorker } from './start-worker.ts';
import { createTally } from './tally.ts';

const kinds = ['created', 'changed', 'moved', 'deleted'] as const;

/** What an event says of a file; of a moved file also its previous path. */
export type ToldFile = {
  readonly kind: (typeof kinds)[number];
  readonly path: string;
  readonly previousPath?: string;
};

const builtIn = builtInApplications({ folders: ['reports'], servesChain: () => true });

/** An empty directory that can be watched as `//folder/reports`, and a subscription to all of its events. */
export async function openWatchedFolder(database: Database) {
  const delivery = await openTestDelivery(database, { builtIn });
  const { subscription } = await delivery.subscribe({
    targetResource: '//folder/reports',
    eventTypes: kinds.map((kind) => `tradewind.folder.file.v1.${kind}`),
  });
  const root = createDataDir();
  const failures: unknown[] = [];
  const looks = createTally();
  const queued = () => queuedEvents(database, subscription.id);

  return {
    root,
    failures,
    /** Counts the scans of the folder by every watcher, failed ones included. */
    looks,
    queued,
    write(path: string, content = path) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    /** Starts a watcher. */
    start: () =>
      startWorker(
        createFolderSource({
          folder: 'reports',
          path: root,
          publisher: delivery.publisher,
          database,
          clock: systemClock,
          random: systemRandom,
          onLooked: looks.add,
          onFailure(error) {
            failures.push(error);
            looks.add();
          },
        }),
      ),
    /** The events published so far, in order. */
    told: async (): Promise<ToldFile[]> =>
      (await queued()).map(({ type, data: { file } }) => ({
        kind: type.slice(type.lastIndexOf('.') + 1) as ToldFile['kind'], // as subscribed to above
        ...file,
      })),
  };
}
