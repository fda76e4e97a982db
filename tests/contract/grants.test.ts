import { describe, expect, test } from 'vitest';
import { createGrants } from '../../src/authorization/server/grants/create-grants.ts';
import type { AccountId } from '../../src/authorization/server/model/account.ts';
import type { ClientId } from '../../src/authorization/server/model/client.ts';
import { openRevocations } from '../../src/authorization/server/tokens/open-revocations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { countQueries } from '../support/count-queries.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const resource = 'https://tradewind.example.com/mcp';
const clientId = 'shell' as ClientId;

describe.each(migratedEngines)('grants on $engine', ({ createStore }) => {
  test('tell at their end what the client may still do for the person by others [K11]', async () => {
    const { grants, allow, told } = await open();
    const first = await allow('ada', { scope: ['swap.read', 'subscriptions.write'] });
    const second = await allow('ada', { scope: ['subscriptions.write'] });
    await allow('ada', { scope: ['admin'], resources: ['https://other.example/mcp'] });
    await allow('ada', { scope: ['admin'], clientId: 'other' as ClientId });
    await allow('ben', { scope: ['admin'] });
    await grants.revoke(first);
    await grants.revoke(second);
    expect(await told()).toEqual([['subscriptions.write'], undefined]);
  });

  test('that end together tell it each for their own person, client and resources [K11]', async () => {
    const { grants, allow, told } = await open();
    const elsewhere = ['https://other.example/mcp', 'https://third.example/mcp'];
    const session = { sessionId: 'browser' };
    await allow('ada', { ...session, scope: ['swap.read'] });
    await allow('ada', { ...session, scope: ['admin'], resources: [...elsewhere, resource] });
    await allow('ada', { ...session, clientId: 'other' as ClientId });
    await allow('ada', { scope: ['subscriptions.write'] });
    await allow('ada', { scope: ['subscriptions.read'], resources: elsewhere });
    await grants.revoking((_, revoke) => revoke(session));
    expect((await told()).map((held) => held?.toSorted()).toSorted()).toEqual([
      ['subscriptions.read', 'subscriptions.write'],
      ['subscriptions.write'],
      undefined,
    ]);
  });

  test.each([
    { others: 'to other clients', otherId: 'other' as ClientId, read: 20 },
    { others: 'to the same client', otherId: clientId, read: 20 + 1 },
  ])(
    'are revoked by reading what else the person allowed once, however many end: $others [N11]',
    async ({ otherId, read }) => {
      const { grants, allow, count } = await open();
      for (let n = 0; n < 20; n++) await allow('ada', { sessionId: 'browser' });
      for (let n = 0; n < 30; n++) await allow('ada', { clientId: otherId });
      const before = count.rows;
      await grants.revoking((_, revoke) => revoke({ sessionId: 'browser' }));
      expect(count.rows - before).toBe(read);
    },
  );

  async function open() {
    const { database, count } = countQueries(await (await createStore()).open());
    await migrate(database, productMigrations);
    await database.run(sql`
      INSERT INTO outbox_consumers (consumer, topic, seen_at)
      VALUES ('test', 'authorization.grant-revoked', 0)`);
    const clock = createFakeClock();
    const revocations = await openRevocations({ database, clock });
    const grants = createGrants({ database, revocations, clock, random: systemRandom });
    const allow = (accountId: string, grant: Partial<Parameters<typeof grants.create>[1]> = {}) =>
      database.transaction((tx) =>
        grants.create(tx, {
          clientId,
          accountId: accountId as AccountId,
          scope: ['swap.read'],
          resources: [resource],
          identityProviderSessionId: undefined,
          ...grant,
        }),
      );
    /** What each revocation told that the client still may. */
    const told = async () => {
      const rows = await database.all<{ payload: string }>(
        sql`SELECT payload FROM outbox ORDER BY position`,
      );
      return rows.map(({ payload }): string[] | undefined => JSON.parse(payload).stillHeld);
    };
    return { database, clock, grants, revocations, allow, told, count };
  }
});
