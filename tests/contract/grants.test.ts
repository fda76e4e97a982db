import { describe, expect, test } from 'vitest';
import { createGrants } from '../../src/authorization/server/grants/create-grants.ts';
import type { AccountId } from '../../src/authorization/server/model/account.ts';
import type { ClientId } from '../../src/authorization/server/model/client.ts';
import { openRevocations } from '../../src/authorization/server/tokens/open-revocations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const resource = 'https://tradewind.example.com/mcp';

describe.each(migratedEngines)('grants on $engine', ({ createStore }) => {
  test('tell at their end what the client may still do for the person by others [K11]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    await database.run(sql`
      INSERT INTO outbox_consumers (consumer, topic, seen_at)
      VALUES ('test', 'authorization.grant-revoked', 0)`);
    const clock = createFakeClock();
    const revocations = await openRevocations({ database, clock });
    const grants = createGrants({ database, revocations, clock, random: systemRandom });
    const allow = (accountId: string, scope: readonly string[], resources = [resource]) =>
      database.transaction((tx) =>
        grants.create(tx, {
          clientId: 'shell' as ClientId,
          accountId: accountId as AccountId,
          scope,
          resources,
          identityProviderSessionId: undefined,
        }),
      );
    const first = await allow('ada', ['swap.read', 'subscriptions.write']);
    const second = await allow('ada', ['subscriptions.write']);
    await allow('ada', ['admin'], ['https://other.example/mcp']);
    await allow('ben', ['admin']);
    await grants.revoke(first);
    await grants.revoke(second);
    const told = await database.all<{ payload: string }>(
      sql`SELECT payload FROM outbox ORDER BY position`,
    );
    expect(told.map(({ payload }) => JSON.parse(payload).stillHeld)).toEqual([
      ['subscriptions.write'],
      undefined,
    ]);
  });
});
