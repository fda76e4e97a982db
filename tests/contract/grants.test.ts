import { describe, expect, test } from 'vitest';
import { createGrants } from '../../src/authorization/grants/grants.ts';
import { openRevocations } from '../../src/authorization/keys/revocations.ts';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import type { GrantId } from '../../src/authorization/model/grant.ts';
import { beginGrant } from '../../src/authorization/store/grant-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { countQueries } from '../support/count-queries.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const resource = 'https://tradewind.example.com/mcp';
const clientId = 'shell' as ClientId;

describe.each(migratedEngines)('grants on $engine', ({ createStore }) => {
  test('report at their end the scopes that other grants still give the client for the person [K11]', async () => {
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

  test('report no other grants where a code was stolen, since a thief may have used it [K11, R1]', async () => {
    const { grants, allow, told } = await open();
    const first = await allow('ada');
    await allow('ada');
    await grants.revoke(first, { isStolen: true });
    expect(await told()).toEqual([undefined]);
  });

  test('that end together report each for their own person, client and resources [K11]', async () => {
    const { grants, allow, told } = await open();
    const elsewhere = ['https://other.example/mcp', 'https://third.example/mcp'];
    const session = { sessionId: 'browser' };
    await allow('ada', { ...session, scope: ['swap.read'] });
    await allow('ada', { ...session, scope: ['admin'], resources: [...elsewhere, resource] });
    await allow('ada', { ...session, clientId: 'other' as ClientId });
    await allow('ada', { scope: ['subscriptions.write'] });
    await allow('ada', { scope: ['subscriptions.read'], resources: elsewhere });
    await grants.transaction((_, revoke) => revoke(session));
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
    "are revoked with one read of the person's other grants, however many end: $others [N11]",
    async ({ otherId, read }) => {
      const { grants, allow, count } = await open();
      for (let n = 0; n < 20; n++) await allow('ada', { sessionId: 'browser' });
      for (let n = 0; n < 30; n++) await allow('ada', { clientId: otherId });
      const before = count.rows;
      await grants.transaction((_, revoke) => revoke({ sessionId: 'browser' }));
      expect(count.rows - before).toBe(read);
    },
  );

  test('of one account are limited in number: the oldest are revoked, and those of others stay [N5]', async () => {
    const { grants, allow, begin, fill, countAll, isOver, database, told, count } = await open();
    const kept = authorizationLimits.grantsOfAccount.value;
    await fill('ada', kept);
    await fill('ben', kept);
    const first = await allow('ada');
    expect([isOver('ada 1'), await countAll()]).toEqual([false, 2 * kept + 1]);
    await begin(first);

    const rows: number[] = [];
    for (let n = 1; n <= 3; n++) {
      const before = count.rows;
      const next = await allow('ada');
      rows.push(count.rows - before);
      expect([isOver(`ada ${n}`), isOver(`ada ${n + 1}`)]).toEqual([true, false]);
      await begin(next);
    }
    expect(await countAll()).toBe(2 * kept + 1);
    expect([isOver(first), isOver('ben 1')]).toEqual([false, false]);
    expect(await told()).toEqual([['swap.read'], ['swap.read'], ['swap.read']]);
    // Two rows: the grant that ended, and the scopes that the client still has.
    expect(rows).toEqual([2, 2, 2]);
    expect(
      await database.all(sql`SELECT hash FROM authorization_codes WHERE grant_id = 'ada 1'`),
    ).toEqual([]);
    expect(await grants.list('ada' as AccountId)).toHaveLength(kept + 1);
  });

  test('whose code nobody redeems are few, and displace none that a client uses [N2, N5]', async () => {
    const { allow, fill, countAll, isOver, clock } = await open();
    const { value: kept } = authorizationLimits.grantsOfAccount;
    const { value: waiting } = authorizationLimits.waitingGrantsOfAccount;
    await fill('ada', kept);
    const made: string[] = [];
    for (let n = 0; n < waiting + 5; n++) {
      clock.advance(1);
      made.push(await allow('ada'));
    }
    expect(isOver('ada 1')).toBe(false);
    expect(await countAll()).toBe(kept + waiting);
    expect(made.map(isOver)).toEqual(made.map((_, index) => index < 5));
  });

  test('that have expired displace none that a client uses [N5]', async () => {
    const { allow, begin, fill, isOver, database, clock } = await open();
    const { value: kept } = authorizationLimits.grantsOfAccount;
    await fill('ada', kept);
    await database.run(sql`UPDATE grants SET expires_at = ${clock.now()} WHERE id <> 'ada 1'`);
    await begin(await allow('ada'));
    await allow('ada');
    expect(isOver('ada 1')).toBe(false);
  });

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
      grants.transaction((tx, revoke) =>
        grants.create(
          { tx, revoke },
          {
            clientId,
            accountId: accountId as AccountId,
            scope: ['swap.read'],
            resources: [resource],
            identityProviderSessionId: undefined,
            ...grant,
          },
        ),
      );
    /** Inserts grants of an account with a code each, every one a millisecond younger than the one before. */
    const fill = async (accountId: string, size: number) => {
      const counted = sql`
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${size})`;
      const at = clock.now();
      await database.run(sql`${counted}
        INSERT INTO grants (id, account_id, client_id, scope, resources, created_at, expires_at)
        SELECT CAST(${`${accountId} `} AS TEXT) || n, CAST(${accountId} AS TEXT),
          CAST(${clientId} AS TEXT), 'swap.read', CAST(${resource} AS TEXT),
          CAST(${at - size} AS BIGINT) + n, CAST(${at + 1_000_000} AS BIGINT)
        FROM counted`);
      await database.run(sql`${counted}
        INSERT INTO authorization_codes (hash, grant_id, redirect_uri, code_challenge, expires_at)
        SELECT CAST(${`${accountId} `} AS TEXT) || n, CAST(${`${accountId} `} AS TEXT) || n, '', '',
          CAST(${at} AS BIGINT)
        FROM counted`);
    };
    /** The scopes that the client still has, according to each revocation event. */
    const told = async () => {
      const rows = await database.all<{ payload: string }>(
        sql`SELECT payload FROM work ORDER BY position`,
      );
      return rows.map(({ payload }): string[] | undefined => JSON.parse(payload).payload.stillHeld);
    };
    /** The client redeems the code of a grant. */
    const begin = async (id: GrantId) => {
      const expiresAt = clock.now() + 1_000_000;
      expect(await beginGrant(database, id, { expiresAt, refresh: undefined })).toBe(true);
    };
    const isOver = (id: string) =>
      revocations.isRevoked({ jti: '', client_id: clientId, grant_id: id, scope: '', iat: 0 });
    const countAll = async () =>
      (await database.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM grants`))?.n;
    return { database, clock, grants, allow, begin, fill, isOver, countAll, told, count };
  }
});
