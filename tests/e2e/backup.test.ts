import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown, copyFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openFileTarget } from '../../src/app/backup/restore-targets.ts';
import { installationOf, migrations } from '../../src/app/installation/installation-of.ts';
import { openMasterKey } from '../../src/app/installation/master-key.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { enterDataDirectory } from '../../src/kernel/process/data-directory.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { issueToken } from '../support/issue-token.ts';
import { runInProcess } from '../support/run-in-process.ts';
import {
  makeTemporaryDirectory,
  runTradewind,
  type ServerUnderTest,
  serve,
} from '../support/run-tradewind.ts';
import { testsWith } from '../support/tests-with.ts';

type Engine = 'sqlite' | 'postgres';
type Place = { readonly dataDir: string; readonly environment: Record<string, string> };

/** An empty installation. Two at the same port, one after the other, have the same issuer. */
async function choosePlace(engine: Engine, port: number): Promise<Place> {
  const dataDir = await makeTemporaryDirectory();
  const environment: Record<string, string> = {
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_PORT: String(port),
  };
  if (engine === 'postgres') {
    environment.TRADEWIND_DATABASE_URL = await createPostgresDatabase(inject('postgresUrl'));
  }
  return { dataDir, environment };
}

async function stop(server: ServerUnderTest): Promise<void> {
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}

async function tradewind(args: readonly string[], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runInProcess([...args, '--json'], { environment });
  const parse = (text: string) => (text === '' ? {} : JSON.parse(text));
  return { code, told: parse(stdout), error: parse(stderr).error };
}

function publisherAt(url: string, token: string) {
  const subject = '//chat.googleapis.com/spaces/A';
  return async (id: string) => {
    const response = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/cloudevents+json',
      },
      body: JSON.stringify({
        specversion: '1.0',
        id,
        source: subject,
        type: 'google.workspace.chat.message.v1.created',
        subject,
        data: { message: { name: 'spaces/A/messages/1' } },
      }),
    });
    expect(response.status).toBe(202);
    return (await response.json()) as { accepted: number; duplicates: number };
  };
}

/** Publishes until stopped. Exposes the ids that were acknowledged so far. */
function publishUntilStopped(publish: (id: string) => Promise<unknown>) {
  const acknowledged: string[] = [];
  let isOver = false;
  const publishers = Array.from({ length: 4 }, async (_, publisher) => {
    for (let count = 0; !isOver; count++) {
      const id = `event-${publisher}-${count}`;
      await publish(id);
      acknowledged.push(id);
    }
  });
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await Promise.all(publishers);
    },
  };
}

/** Expects no write-ahead log beside the file, so that a copy of the file alone would be complete. */
function expectWholeFile(dataDir: string): void {
  const left = ['master.key', 'tradewind.db', 'tradewind.db.lock'];
  expect(readdirSync(dataDir).sort()).toEqual(left);
}

describe.each<[Engine, Engine]>([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
])('a backup of %s under load, restored to %s', (from, to) => {
  test('misses nothing that was acknowledged before it, and opens its own secrets; a clean stop leaves a whole file [T1]', async () => {
    const port = await findFreePort();
    const [old, fresh] = [await choosePlace(from, port), await choosePlace(to, port)];
    const server = await serve({ ...old });
    const token = await issueToken(server.url, 'events.publish');
    const load = publishUntilStopped(publisherAt(server.url, token));
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(200);
    const before = [...load.acknowledged];

    const file = join(await makeTemporaryDirectory(), 'tradewind.backup');
    const backup = await tradewind(['backup', file], old.environment);
    expect(backup).toMatchObject({ code: 0, told: { file, engine: from, hasKey: true } });
    expect(backup.told.rows).toBeGreaterThan(200);
    const after = load.acknowledged.length;
    expect(after).toBeGreaterThan(before.length);
    await load.stop();
    await stop(server);
    if (from === 'sqlite') expectWholeFile(old.dataDir);

    const restore = await tradewind(['restore', file], fresh.environment);
    expect(restore).toMatchObject({ code: 0, told: { engine: from, rows: backup.told.rows } });
    const restored = await serve({ ...fresh });
    // The old token still works: its signing keys were restored and can be unsealed.
    const publish = publisherAt(restored.url, token);
    const missing = [];
    for (const id of before) if ((await publish(id)).duplicates !== 1) missing.push(id);
    expect(missing).toEqual([]);
    expect(await publish('afterwards')).toEqual({ accepted: 1, duplicates: 0 });
    await stop(restored);
  });
});

describe('the file', () => {
  /** An installation as a server leaves it. */
  async function makeInstallation(engine: Engine, more: Record<string, string> = {}) {
    const { dataDir, environment } = await choosePlace(engine, 0);
    const installation = { dataDir, environment: { ...environment, ...more } };
    const database = await openInstallation(installation);
    const { migrations, openerIn, random } = installationOf({ ...installation, flags: {} });
    const opener = openerIn(enterDataDirectory(dataDir));
    await migrate(database, migrations);
    await openMasterKey({ database, opener, random });
    await database.close();
    return installation;
  }

  function openInstallation({ dataDir, environment }: Place) {
    return openDatabase({ dataDir, url: environment.TRADEWIND_DATABASE_URL });
  }

  async function backUp(more: Record<string, string> = {}) {
    const old = await makeInstallation('sqlite', more);
    const file = join(await makeTemporaryDirectory(), 'tradewind.backup');
    const backup = await tradewind(['backup', file], old.environment);
    expect(backup.code).toBe(0);
    return { old, file, backup };
  }

  test('can be read by its owner alone, and nothing lies beside it [T1]', async () => {
    const { file } = await backUp();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['tradewind.backup']);
  });

  test('is not overwritten, nor is a database, without --overwrite [T1]', async () => {
    const { old, file } = await backUp();
    const refused = { code: 1, error: { code: 'WOULD_OVERWRITE' } };
    const shared = await makeInstallation('postgres');
    expect(await tradewind(['backup', file], old.environment)).toMatchObject(refused);
    for (const { environment } of [old, shared]) {
      expect(await tradewind(['restore', file], environment)).toMatchObject(refused);
    }
    expect((await tradewind(['backup', file, '--overwrite'], old.environment)).code).toBe(0);
    for (const { environment } of [old, shared]) {
      expect((await tradewind(['restore', file, '--overwrite'], environment)).code).toBe(0);
    }
  });

  test('never replaces a file that the server works on [T1]', async () => {
    const { dataDir, environment } = await makeInstallation('sqlite');
    const names = ['tradewind.db', 'tradewind.db-wal', 'tradewind.db.lock', 'master.key'];
    const link = join(await makeTemporaryDirectory(), 'link.db');
    symlinkSync(join(dataDir, 'tradewind.db'), link);
    for (const file of [...names.map((name) => join(dataDir, name)), link]) {
      const before = existsSync(file) ? statSync(file).ino : undefined;
      const run = await tradewind(['backup', file, '--overwrite'], environment);
      expect(run).toMatchObject({ code: 1, error: { code: 'WOULD_OVERWRITE' } });
      expect(existsSync(file) ? statSync(file).ino : undefined).toBe(before);
    }
    const beside = join(dataDir, 'tradewind.db-monday');
    expect((await tradewind(['backup', beside], environment)).code).toBe(0);
  });

  test('replaces a database atomically [T1]', async () => {
    const old = await makeInstallation('sqlite');
    const dataDir = enterDataDirectory(old.dataDir);
    const installation = installationOf({ ...old, flags: {} });
    const target = await openFileTarget({ installation, dataDir, mayOverwrite: true });
    // As if the process were killed right before the replacement.
    await expect(target.replaceBy(join(dataDir, 'gone'), 'key')).rejects.toThrow('ENOENT');
    await target.close();
    const database = await openInstallation(old);
    const { openerIn, random } = installation;
    await openMasterKey({ database, opener: openerIn(dataDir), random });
    await database.close();
  });

  test('names the folder that is not there to write it to [T1]', async () => {
    const { environment } = await makeInstallation('sqlite');
    const folder = join(await makeTemporaryDirectory(), 'not-there');
    const run = await tradewind(['backup', join(folder, 'monday.db')], environment);
    expect(run).toMatchObject({ code: 1, error: { code: 'NOT_WRITABLE' } });
    expect(run.error.message).toContain(folder);
  });

  testsWith('root').test(
    'belongs to the owner of the data directory when root has restored it [T1]',
    async () => {
      const { file } = await backUp();
      const { dataDir, environment } = await choosePlace('sqlite', 0);
      const nobody = 65_534;
      await chown(dataDir, nobody, nobody);
      // In a process of its own, since it gives up root.
      expect(await runTradewind(['restore', file], environment).ended).toBe(0);
      const owners = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid]);
      expect(Object.fromEntries(owners)).toEqual({
        'master.key': nobody,
        'tradewind.db': nobody,
        'tradewind.db.lock': nobody,
      });
    },
  );

  test('is not restored over a server that runs [T1]', async () => {
    const { file } = await backUp();
    for (const [engine, code] of [
      ['sqlite', 'IN_USE'],
      ['postgres', 'SERVER_RUNS'],
    ] as const) {
      const used = await makeInstallation(engine);
      const database = await openInstallation(used);
      onTestFinished(() => database.close());
      const run = await tradewind(['restore', file, '--overwrite'], used.environment);
      expect(run).toMatchObject({ code: 1, error: { code } });
      if (engine === 'postgres') continue;
      expect(run.error?.message).toBe(`A server uses ${used.dataDir}: stop it, then restore.`);
    }
  });

  test('holds no key where the operator keeps one, and is restored with that one alone [T1]', async () => {
    const secret = { TRADEWIND_SECRET_KEY: 'kept by the operator' };
    const { file, backup } = await backUp(secret);
    expect(backup.told.hasKey).toBe(false);
    const fresh = await choosePlace('sqlite', 0);
    const without = await tradewind(['restore', file], fresh.environment);
    expect(without).toMatchObject({ code: 1, error: { code: 'KEY_MISSING' } });
    expect(existsSync(join(fresh.dataDir, 'tradewind.db'))).toBe(false);
    expect((await tradewind(['restore', file], { ...fresh.environment, ...secret })).code).toBe(0);
  });

  test('is refused where it is damaged or something else, and nothing is touched [T1]', async () => {
    const { file } = await backUp();
    const fresh = await choosePlace('sqlite', 0);
    const broken = join(await makeTemporaryDirectory(), 'broken');
    await copyFile(file, broken);
    const page = await open(broken, 'r+');
    await page.write(Buffer.alloc(4096, 7), 0, 4096, 4096);
    await page.close();
    const letter = join(await makeTemporaryDirectory(), 'letter');
    writeFileSync(letter, 'no backup at all '.repeat(1_000));
    for (const path of [broken, letter, `${letter}-that-is-not-there`]) {
      const run = await tradewind(['restore', path], fresh.environment);
      expect(run).toMatchObject({ code: 1, error: { code: 'NOT_A_BACKUP' } });
    }
    expect(readdirSync(fresh.dataDir).filter((name) => name !== 'tradewind.db.lock')).toEqual([]);
  });

  test('is refused where one letter of a row or of an index has changed [T1]', async () => {
    const { file } = await backUp();
    const bytes = await readFile(file);
    const id = Buffer.from(migrations[0]?.id ?? '');
    const { environment } = await choosePlace('sqlite', 0);
    const codes: number[] = [];
    for (let place = bytes.indexOf(id); place >= 0; place = bytes.indexOf(id, place + 1)) {
      const copy = join(await makeTemporaryDirectory(), 'changed.db');
      await writeFile(copy, bytes.with(place, bytes.readUInt8(place) ^ 1));
      codes.push((await tradewind(['restore', copy, '--overwrite'], environment)).code);
    }
    // The id is in the table and in its primary key index. A change in the free space of a page does no harm.
    expect(codes.filter((code) => code !== 0)).toEqual([1, 1]);
  });
});
