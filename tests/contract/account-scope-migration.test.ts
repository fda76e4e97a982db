import { expect, test } from 'vitest';
import { authorizationMigrations } from '../../src/authorization/index.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql, sqlText } from '../../src/kernel/database/sql.ts';
import { testEngines } from '../support/test-engines.ts';

test.each(testEngines)(
  'the scope account.manage belongs to what the console held before, and every other grant keeps what it named, on $engine [F27, N20]',
  async ({ createStore }) => {
    const database = await (await createStore()).open();
    const before = authorizationMigrations.filter(
      ({ id }) => id !== 'authorization-0023-the-console-manages-accounts',
    );
    await migrate(database, [...kernelMigrations, ...before]);
    const stored = [
      ['a', 'tradewind-console', 'swap.read admin'],
      ['b', 'tradewind-command-line', 'swap.read subscriptions.read'],
      ['c', 'some-client', 'admin'],
    ];
    for (const [id, client, scope] of stored) {
      await database.run(
        sqlText(`INSERT INTO grants (id, account_id, client_id, scope, resources, created_at, expires_at)
            VALUES ('${id}', 'owner', '${client}', '${scope}', '', 1, 2)`),
      );
    }
    await migrate(database, [...kernelMigrations, ...authorizationMigrations]);
    const rows = await database.all<{ scope: string }>(sql`SELECT scope FROM grants ORDER BY id`);
    expect(rows.map(({ scope }) => scope)).toEqual([
      'swap.read admin account.manage',
      'swap.read subscriptions.read',
      'admin',
    ]);
  },
);
