import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWatchedFolder } from '../support/open-watched-folder.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('a watched folder on $engine', ({ createStore }) => {
  async function setUp() {
    const folder = await openWatchedFolder(await (await createStore()).open());
    const { looks } = folder;
    /** Starts a watcher and waits until it has scanned the folder. */
    const start = async () => {
      const watching = folder.start();
      await looks.reached(looks.count() + 1);
      return watching;
    };
    const told = async () =>
      (await folder.told()).map(({ kind, path, previousPath }) =>
        kind === 'moved' ? `moved ${previousPath} ${path}` : `${kind} ${path}`,
      );
    /** Waits until so many events have been published. */
    const toldAtLeast = async (count: number) => {
      for (;;) {
        const seen = looks.count();
        const all = await told();
        if (all.length >= count) return all;
        await looks.reached(seen + 1);
      }
    };
    return { ...folder, start, told, toldAtLeast };
  }

  it('publishes what is created, changed, moved and deleted while it runs [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    write('old.txt');
    await start();
    write('a b/ü.txt', 'one');
    expect(await toldAtLeast(1)).toEqual(['created a b/ü.txt']);
    write('a b/ü.txt', 'another');
    expect((await toldAtLeast(2))[1]).toBe('changed a b/ü.txt');
    renameSync(join(root, 'a b'), join(root, 'c'));
    expect((await toldAtLeast(3))[2]).toBe('moved a b/ü.txt c/ü.txt');
    rmSync(join(root, 'c'), { recursive: true });
    expect((await toldAtLeast(4))[3]).toBe('deleted c/ü.txt');
  });

  it('publishes after its start what changed while it was down, and nothing twice [E14.14]', async () => {
    const { write, root, start, told, toldAtLeast } = await setUp();
    for (const path of ['kept', 'changed', 'moved', 'deleted']) write(path);
    const before = await start();
    await before.stop();
    expect(await told()).toEqual([]);
    write('changed', 'otherwise');
    write('created');
    renameSync(join(root, 'moved'), join(root, 'moved-away'));
    rmSync(join(root, 'deleted'));
    const after = await start();
    const expected = [
      'moved moved moved-away',
      'created created',
      'changed changed',
      'deleted deleted',
    ];
    expect((await toldAtLeast(4)).toSorted()).toEqual(expected.toSorted());
    await after.stop();
    await start();
    expect(await told()).toHaveLength(4);
  });

  it('sees a change that leaves size and time as they were [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    write('a', 'one');
    const before = await start();
    await before.stop();
    const { atime, mtime } = statSync(join(root, 'a'));
    write('a', 'two');
    utimesSync(join(root, 'a'), atime, mtime);
    await start();
    expect(await toldAtLeast(1)).toEqual(['changed a']);
  });

  it('names each file below its folder, with its path and size [E14.14]', async () => {
    const { queued, write, start, toldAtLeast } = await setUp();
    await start();
    write('2026/q1 %.txt', 'hello');
    await toldAtLeast(1);
    expect(await queued()).toMatchObject([
      {
        subject: '//folder/reports/2026/q1%20%25.txt',
        data: { file: { name: 'reports/2026/q1%20%25.txt', path: '2026/q1 %.txt', size: 5 } },
      },
    ]);
  });

  it('does not follow links out of the folder [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    await start();
    symlinkSync('/etc', join(root, 'etc'));
    symlinkSync('/etc/hostname', join(root, 'hostname'));
    write('last');
    expect(await toldAtLeast(1)).toEqual(['created last']);
  });

  it('treats an unreadable folder as a failure, not as an empty one [E14.14]', async () => {
    const { write, root, start, told, failures } = await setUp();
    write('a');
    const before = await start();
    await before.stop();
    renameSync(root, `${root}-away`);
    const without = await start();
    await without.stop();
    expect(failures).toMatchObject([{ code: 'ENOENT' }]);
    renameSync(`${root}-away`, root);
    await start();
    expect(await told()).toEqual([]);
  });
});
