import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMasterKey } from '../../src/app/installation/master-key.ts';
import { readKeyFile } from '../../src/kernel/crypto/key-file.ts';
import { masterKeyMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom as random } from '../../src/kernel/model/random.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('the master key on $engine', ({ createStore }) => {
  const openStore = async () => {
    const database = await (await createStore()).open();
    await migrate(database, masterKeyMigrations);
    return database;
  };
  const opener = { secret: 'a secret that is kept outside', isPassword: false };

  it('is made once, also by processes that start together', async () => {
    const database = await openStore();
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => openMasterKey({ database, opener, random })),
    );
    expect(keys[0]).toHaveLength(32);
    for (const key of keys) expect(key).toEqual(keys[0]);
    expect(await openMasterKey({ database, opener, random })).toEqual(keys[0]);
  });

  it('opens by a password as well', async () => {
    const database = await openStore();
    const byPassword = { secret: 'hunter2', isPassword: true };
    const key = await openMasterKey({ database, opener: byPassword, random });
    expect(await openMasterKey({ database, opener: byPassword, random })).toEqual(key);
  });

  it('does not open with another secret, and says what to do', async () => {
    const database = await openStore();
    await openMasterKey({ database, opener, random });
    const other = { secret: 'another secret', isPassword: false };
    await expect(openMasterKey({ database, opener: other, random })).rejects.toThrow(
      /TRADEWIND_SECRET_KEY/,
    );
  });

  it('is not in the database unsealed', async () => {
    const database = await openStore();
    const key = await openMasterKey({ database, opener, random });
    const rows = await database.all(sql`SELECT salt, sealed FROM master_key`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(key).toString('base64url'));
  });
});

describe('the key file', () => {
  it('is made once and readable by its owner alone', () => {
    const dataDir = createDataDir();
    const secret = readKeyFile(dataDir, random);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readKeyFile(dataDir, random)).toBe(secret);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
  });
});
