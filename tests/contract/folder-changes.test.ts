import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openWatchedFolder, type ToldFile } from '../support/open-watched-folder.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { migratedEngines } from '../support/test-engines.ts';

/** 10,000 files and 5,000 changes are the proof; the default is a quick check. */
const fileCount = Number(process.env.TEST_FOLDER_FILES ?? 400);
const changeCount = Number(process.env.TEST_FOLDER_CHANGES ?? 200);
const timeout = 300_000 + fileCount * 20;

test.each(migratedEngines)(
  'the published events are the difference of two scans, while down and while watched, on $engine [E14.14]',
  async ({ createStore }) => {
    const watched = await openWatchedFolder(await (await createStore()).open());
    const { root, looks, start, told, failures } = watched;
    const folder = createRandomFolder(watched);
    for (let n = 0; n < fileCount; n++) folder.create();
    const before = start();
    await looks.reached(1);
    await before.stop();
    expect(await told()).toEqual([]);

    const first = scan(root);
    for (let n = 0; n < changeCount / 2; n++) folder.change();
    const second = scan(root);
    const after = start();
    await looks.reached(2);
    const offline = await told();
    expect(offline.map(describe).sort()).toEqual(difference(first, second));
    expect(offline.length).toBeGreaterThan(changeCount / 4);

    for (let n = 0; n < changeCount / 2; n++) {
      folder.change();
      await setImmediate();
    }
    const third = scan(root);
    // The first of two more scans may have begun before the last change.
    await looks.reached(looks.count() + 2);
    await after.stop();
    const online = (await told()).slice(offline.length);
    expect(addUp(online, { before: second, isLater: folder.isLater })).toEqual(
      difference(second, third),
    );
    expect(new Set(online.map(({ kind }) => kind)).size).toBe(4);
    expect(failures).toEqual([]);
  },
  timeout,
);

/** The files of a folder by an identity that a move does not change. */
type Scan = ReadonlyMap<string, { readonly path: string; readonly content: string }>;

function scan(root: string): Scan {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { ino, birthtimeNs } = statSync(path, { bigint: true });
        const content = readFileSync(path, 'utf8');
        return [`${ino}:${birthtimeNs}`, { path: relative(root, path), content }];
      }),
  );
}

function difference(before: Scan, after: Scan): string[] {
  const lines = [...new Set([...before.keys(), ...after.keys()])].flatMap((identity) => {
    const [was, is] = [before.get(identity), after.get(identity)];
    return lifeLines({
      from: was?.path,
      path: is?.path,
      isChanged: was !== undefined && was.content !== is?.content,
    });
  });
  return lines.sort();
}

/** What happened to a file between two moments. A path is undefined if the file did not exist then. */
type Life = { from: string | undefined; path: string | undefined; isChanged: boolean };

function lifeLines({ from, path, isChanged }: Life): string[] {
  if (path === undefined) return from === undefined ? [] : [`deleted ${from}`];
  if (from === undefined) return [`created ${path}`];
  return [
    ...(from === path ? [] : [`moved ${from} ${path}`]),
    ...(isChanged ? [`changed ${path}`] : []),
  ];
}

function describe({ kind, path, previousPath }: ToldFile): string {
  return kind === 'moved' ? `moved ${previousPath} ${path}` : `${kind} ${path}`;
}

/**
 * The total change that the events describe. A scan during changes may see several steps of a file as one, and may
 * miss a file that comes and goes. But each event must follow from those before it, each move must be one that the
 * file made, and all events must add up to the real files. No path is used twice.
 */
function addUp(
  events: readonly ToldFile[],
  options: { before: Scan; isLater(path: string, than: string): boolean },
): string[] {
  const lives = new Map<string, Life>();
  for (const { path } of options.before.values()) {
    lives.set(path, { from: path, path, isChanged: false });
  }
  const ended: Life[] = [];
  for (const event of events) {
    const { kind, path, previousPath = path } = event;
    const life = lives.get(previousPath);
    lives.delete(previousPath);
    if ((life === undefined) !== (kind === 'created')) {
      throw new Error(`${describe(event)} does not follow on what was told before`);
    }
    if (kind === 'moved' && !options.isLater(path, previousPath)) {
      throw new Error(`${describe(event)} is no way that the file went`);
    }
    const next = life ?? { from: undefined, path, isChanged: false };
    next.path = kind === 'deleted' ? undefined : path;
    next.isChanged ||= kind === 'changed';
    if (kind === 'deleted') ended.push(next);
    else lives.set(path, next);
  }
  return [...lives.values(), ...ended].flatMap(lifeLines).sort();
}

/** Files below a folder that are created, changed, moved and deleted at random. */
function createRandomFolder({ root, write }: Awaited<ReturnType<typeof openWatchedFolder>>) {
  const fraction = createSeededFractions(14);
  const paths: string[] = [];
  /** For each moved file its new path, with the one before. */
  const origins = new Map<string, string>();
  let made = 0;
  const newPath = () => `d${Math.floor(fraction() * 20)}/e${Math.floor(fraction() * 5)}/${made++}`;
  const fill = (path: string) =>
    write(path, `${made++} ${'x'.repeat(Math.floor(fraction() * 50))}`);
  const create = () => {
    const path = newPath();
    fill(path);
    paths.push(path);
  };
  const change = () => {
    const index = Math.floor(fraction() * paths.length);
    const path = paths[index]!;
    const choice = Math.floor(fraction() * 4);
    if (choice === 0) return create();
    if (choice === 1) return fill(path);
    if (choice === 2) {
      const to = newPath();
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, path), join(root, to));
      origins.set(to, path);
      paths[index] = to;
      return;
    }
    rmSync(join(root, path));
    paths.splice(index, 1);
  };
  const isLater = (path: string, than: string): boolean => {
    const origin = origins.get(path);
    return origin !== undefined && (origin === than || isLater(origin, than));
  };
  return { create, change, isLater };
}
