import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createFolderSource } from '../../src/events/sources/folder/create-folder-source.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';

/** 10,000 files and 5,000 changes are the proof, the default a reminder. */
const fileCount = Number(process.env.TEST_FOLDER_FILES ?? 400);
const changeCount = Number(process.env.TEST_FOLDER_CHANGES ?? 200);
const timeout = 60_000 + fileCount * 20;

const builtIn = builtInApplications({ folders: ['reports'], servesChain: () => true });

test.each(testEngines)(
  'what was told is the difference of two scans, made while down and while watched, on $engine [E14.14]',
  async ({ createStore }) => {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database, { builtIn });
    const { subscription } = await delivery.subscribe({
      targetResource: '//folder/reports',
      eventTypes: ['created', 'changed', 'moved', 'deleted'].map(
        (kind) => `tradewind.folder.file.v1.${kind}`,
      ),
    });
    const root = createDataDir();
    const folder = createRandomFolder(root);
    for (let n = 0; n < fileCount; n++) folder.create();
    const start = () => {
      let looks = 0;
      let wake = () => {};
      const worker = createFolderSource({
        folder: 'reports',
        path: root,
        publisher: delivery.publisher,
        database,
        clock: systemClock,
        random: systemRandom,
        onLooked() {
          looks += 1;
          wake();
        },
        onFailure: (error) => {
          throw error;
        },
      });
      const looked = async (count: number) => {
        while (looks < count) await new Promise<void>((resolve) => (wake = resolve));
        return looks;
      };
      return { ...startWorker(worker), looked };
    };
    const told = async () =>
      (await queuedEvents(database, subscription.id)).map(({ type, data: { file } }) => ({
        kind: type.slice(type.lastIndexOf('.') + 1),
        ...(file as { path: string; previousPath?: string }),
      }));
    const first = listFolder(root);
    const before = start();
    await before.looked(1);
    await before.stop();

    for (let n = 0; n < changeCount / 2; n++) folder.change();
    const second = listFolder(root);
    const after = start();
    const looks = await after.looked(1);
    const offline = await told();
    expect(offline.length).toBeGreaterThan(changeCount / 4);
    expect(replay(first, offline)).toEqual([...second.keys()].sort());
    expect(changedPaths(first, offline)).toEqual(differentPaths(first, second, offline));

    for (let n = 0; n < changeCount / 2; n++) folder.change();
    const third = listFolder(root);
    for (let look = looks + 1; ; look++) {
      await after.looked(look);
      const all = await told();
      if (replay(first, all).join('\n') === [...third.keys()].sort().join('\n')) break;
    }
    await after.stop();
    expect(new Set((await told()).map(({ kind }) => kind)).size).toBe(4);
  },
  timeout,
);

type Told = { readonly kind: string; readonly path: string; readonly previousPath?: string };

/** The paths there are if the events are believed. No path is used twice, so that their order does not matter. */
function replay(before: ReadonlyMap<string, string>, events: readonly Told[]): string[] {
  const paths = new Set(before.keys());
  for (const { kind, path, previousPath } of events) {
    if (kind === 'moved') paths.delete(previousPath!);
    if (kind === 'deleted') paths.delete(path);
    else paths.add(path);
  }
  return [...paths].sort();
}

/** Files that are told to have another content under the name they had or moved to. */
function changedPaths(before: ReadonlyMap<string, string>, events: readonly Told[]): string[] {
  const moved = new Set(events.filter(({ kind }) => kind === 'moved').map(({ path }) => path));
  return events
    .filter(({ kind, path }) => kind === 'changed' && (before.has(path) || moved.has(path)))
    .map(({ path }) => path)
    .sort();
}

/** Files whose content differs from what stood under the name they had, by reading them. */
function differentPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  events: readonly Told[],
): string[] {
  const origin = new Map(
    events.flatMap(({ kind, path, previousPath }) =>
      kind === 'moved' ? [[path, previousPath!]] : [],
    ),
  );
  const left = new Set(origin.values());
  return [...after]
    .filter(([path, content]) => {
      const from = origin.get(path) ?? (left.has(path) ? undefined : path);
      const earlier = from === undefined ? undefined : before.get(from);
      return earlier !== undefined && earlier !== content;
    })
    .map(([path]) => path)
    .sort();
}

function listFolder(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(root, path), readFileSync(path, 'utf8')];
      }),
  );
}

/** Files below a folder that come, change, move and go by chance. */
function createRandomFolder(root: string) {
  const fraction = createSeededFractions(14);
  const paths: string[] = [];
  let made = 0;
  const newPath = () => `d${Math.floor(fraction() * 20)}/e${Math.floor(fraction() * 5)}/${made++}`;
  const write = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${made++} ${'x'.repeat(Math.floor(fraction() * 50))}`);
  };
  const create = () => {
    const path = newPath();
    write(path);
    paths.push(path);
  };
  const change = () => {
    const index = Math.floor(fraction() * paths.length);
    const path = paths[index]!;
    const choice = Math.floor(fraction() * 4);
    if (choice === 0) return create();
    if (choice === 1) return write(path);
    if (choice === 2) {
      const to = newPath();
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, path), join(root, to));
      paths[index] = to;
      return;
    }
    rmSync(join(root, path));
    paths.splice(index, 1);
  };
  return { create, change };
}
