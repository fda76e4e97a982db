import { describe, expect, it } from 'vitest';
import { eventsMigrations } from '../../src/events/store/events-migrations.ts';
import { listWatching } from '../../src/events/store/price-watch-store.ts';
import { findSubscription } from '../../src/events/store/subscription-store.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { testEngines } from '../support/test-engines.ts';

const before = eventsMigrations.filter(({ id }) => id < 'events-0010');

describe.each(testEngines)('subscriptions before the migration on $engine', ({ createStore }) => {
  it('keep their options and what was last reported to them', async () => {
    const database = await (await createStore()).open();
    await migrate(database, [...kernelMigrations, ...before]);
    await insert(database, { id: 'drive', drive: '{"includeDescendants":true}' });
    await insert(database, { id: 'swap', swap: '{"thresholdBps":7,"intervalSeconds":0}' });
    await insert(database, { id: 'plain' });
    const told = '{"amountIn":"1","amountOut":"2","route":"r","priceToldAt":3,"routeToldAt":4}';
    await database.run(
      sql`INSERT INTO events_price_watches (subscription_id, told) VALUES ('swap', ${told})`,
    );

    await migrate(database, [...kernelMigrations, ...eventsMigrations]);

    const swapOptions = { thresholdBps: 7, intervalSeconds: 0 };
    expect((await findSubscription(database, 'drive'))?.options).toEqual({
      driveOptions: { includeDescendants: true },
    });
    expect((await findSubscription(database, 'swap'))?.options).toEqual({ swapOptions });
    expect((await findSubscription(database, 'plain'))?.options).toEqual({});
    await database.run(
      sql`INSERT INTO events_matches (event_type, target, subscription_id) VALUES ('t', '//x', 'swap')`,
    );
    const lastReported = {
      amountIn: '1',
      amountOut: '2',
      route: 'r',
      priceReportedAt: 3,
      routeReportedAt: 4,
    };
    expect(await listWatching(database, { eventTypes: ['t'], now: 0 })).toMatchObject([
      { id: 'swap', options: { swapOptions }, lastReported },
    ]);
  });
});

async function insert(
  database: Database,
  { id, drive = null, swap = null }: { id: string; drive?: string | null; swap?: string | null },
): Promise<void> {
  await database.run(sql`
    INSERT INTO events_subscriptions (id, uid, principal, client_id, target_resource, event_types,
      notification_endpoint, drive_options, swap_options, state, created_at, updated_at, expires_at, revision)
    VALUES (${id}, ${`uid-${id}`}, 'p', 'c', ${`//x/${id}`}, '["t"]', '{"kind":"eventStream"}', ${drive},
      ${swap}, 'ACTIVE', 0, 0, 9, 1)`);
}
