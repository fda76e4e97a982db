import {
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createFolderSource } from '../../src/events/sources/folder/create-folder-source.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';

const builtIn = builtInApplications({ folders: ['reports'], servesChain: () => true });
const kinds = ['created', 'changed', 'moved', 'deleted'];

describe.each(testEngines)('a watched folder on $engine', ({ createStore }) => {
  async function setUp() {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database, { builtIn });
    const { subscription } = await delivery.subscribe({
      targetResource: '//folder/reports',
      eventTypes: kinds.map((kind) => `tradewind.folder.file.v1.${kind}`),
    });
    const root = createDataDir();
    const failures: unknown[] = [];
    const looked = createChannel();
    const write = (path: string, content = path) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    };
    const start = () => {
      const scanned = createChannel();
      const worker = createFolderSource({
        folder: 'reports',
        path: root,
        publisher: delivery.publisher,
        database,
        clock: systemClock,
        random: systemRandom,
        onLooked() {
          scanned.send();
          looked.send();
        },
        onFailure(error) {
          failures.push(error);
          scanned.send();
        },
      });
      return { ...startWorker(worker), scanned: scanned.receive };
    };
    const told = async () => {
      const queued = await queuedEvents(database, subscription.id);
      return queued.map(({ type, data: { file } }) => {
        const kind = type.slice('tradewind.folder.file.v1.'.length);
        return kind === 'moved'
          ? `moved ${file.previousPath} ${file.path}`
          : `${kind} ${file.path}`;
      });
    };
    /** Waits until this much has been told. */
    const toldAtLeast = async (count: number) => {
      while ((await told()).length < count) await looked.receive();
      return told();
    };
    return { database, subscription, root, write, start, told, toldAtLeast, failures };
  }

  it('tells what is created, changed, moved and deleted while it runs [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    write('old.txt');
    await start().scanned();
    write('a b/ü.txt', 'one');
    expect(await toldAtLeast(1)).toEqual(['created a b/ü.txt']);
    write('a b/ü.txt', 'another');
    expect((await toldAtLeast(2))[1]).toBe('changed a b/ü.txt');
    renameSync(join(root, 'a b'), join(root, 'c'));
    expect((await toldAtLeast(3))[2]).toBe('moved a b/ü.txt c/ü.txt');
    rmSync(join(root, 'c'), { recursive: true });
    expect((await toldAtLeast(4))[3]).toBe('deleted c/ü.txt');
  });

  it('tells after its start what happened while it was down, and what it told before not again [E14.14]', async () => {
    const { write, root, start, told, toldAtLeast } = await setUp();
    for (const path of ['kept', 'changed', 'moved', 'deleted']) write(path);
    const before = start();
    await before.scanned();
    await before.stop();
    expect(await told()).toEqual([]);
    write('changed', 'otherwise');
    write('created');
    renameSync(join(root, 'moved'), join(root, 'moved-away'));
    rmSync(join(root, 'deleted'));
    const after = start();
    const expected = [
      'moved moved moved-away',
      'created created',
      'changed changed',
      'deleted deleted',
    ];
    expect((await toldAtLeast(4)).toSorted()).toEqual(expected.toSorted());
    await after.stop();
    await start().scanned();
    expect(await told()).toHaveLength(4);
  });

  it('sees a change that leaves size and time as they were [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    write('a', 'one');
    const before = start();
    await before.scanned();
    await before.stop();
    const { atime, mtime } = statSync(join(root, 'a'));
    write('a', 'two');
    utimesSync(join(root, 'a'), atime, mtime);
    start();
    expect(await toldAtLeast(1)).toEqual(['changed a']);
  });

  it('names each file below its folder and says what it knows of it [E14.14]', async () => {
    const { database, subscription, write, start, toldAtLeast } = await setUp();
    await start().scanned();
    write('2026/q1 %.txt', 'hello');
    await toldAtLeast(1);
    expect(await queuedEvents(database, subscription.id)).toMatchObject([
      {
        subject: '//folder/reports/2026/q1%20%25.txt',
        data: { file: { name: 'reports/2026/q1%20%25.txt', path: '2026/q1 %.txt', size: 5 } },
      },
    ]);
  });

  it('does not follow links out of the folder [E14.14]', async () => {
    const { write, root, start, toldAtLeast } = await setUp();
    await start().scanned();
    symlinkSync('/etc', join(root, 'etc'));
    symlinkSync('/etc/hostname', join(root, 'hostname'));
    write('last');
    expect(await toldAtLeast(1)).toEqual(['created last']);
  });

  it('takes a folder that cannot be read for a failure, not for an empty one [E14.14]', async () => {
    const { write, root, start, told, failures } = await setUp();
    write('a');
    const before = start();
    await before.scanned();
    await before.stop();
    renameSync(root, `${root}-away`);
    const without = start();
    await without.scanned();
    await without.stop();
    expect(failures).toMatchObject([{ code: 'ENOENT' }]);
    renameSync(`${root}-away`, root);
    await start().scanned();
    expect(await told()).toEqual([]);
  });
});

/** Lets one wait for the next thing that another sends; what was sent before nobody waited counts once. */
function createChannel() {
  let isSent = false;
  let wake = () => {};
  return {
    send() {
      isSent = true;
      wake();
    },
    async receive() {
      if (!isSent) await new Promise<void>((resolve) => (wake = resolve));
      isSent = false;
    },
  };
}
