import { describe, expect, it } from 'vitest';
import { eventsMigrations } from '../../src/events/store/events-migrations.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { testEngines } from '../support/test-engines.ts';

const before = eventsMigrations.filter(({ id }) => id < 'events-0007');

/** Endpoints as they were stored, and whether they had agreed when their subscription was created. */
const endpoints = [
  ['far', '{"kind":"webhook","uri":"https://receiver.example/hook"}', 1],
  ['stream', '{"kind":"eventStream"}', 1],
  ['localhost', '{"kind":"webhook","uri":"http://localhost:3000/hook"}', 0],
  ['loopback', '{"kind":"webhook","uri":"http://127.0.0.1:3000/hook"}', 0],
  ['loopback6', '{"kind":"webhook","uri":"https://[::1]:3000/hook"}', 0],
] as const;

describe.each(testEngines)('what was stored before on $engine', ({ createStore }) => {
  it('belongs to the server, to the accounts that made it, and asks loopback anew [F6, F7, N3]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, [...kernelMigrations, ...before]);
    for (const [id, endpoint] of endpoints) {
      await insert(database, { id, endpoint, user: id === 'far' ? 'ann' : null });
    }
    const publish = (publisher?: string) =>
      publisher === undefined
        ? sql`INSERT INTO events_published (source, id, type, subject, occurred_at, accepted_at, data)
            VALUES ('//shop', '1', 't', '//x/1', 0, 0, '{}')`
        : sql`INSERT INTO events_published
              (publisher, source, id, type, subject, occurred_at, accepted_at, data)
            VALUES (${publisher}, '//shop', '1', 't', '//x/1', 0, 0, '{}')`;
    await database.run(publish());

    await migrate(database, [...kernelMigrations, ...eventsMigrations]);

    const lanes = await database.all(
      sql`SELECT subscription_id, account, sees_all, is_agreed FROM events_lanes ORDER BY lane`,
    );
    expect(lanes).toEqual(
      endpoints.map(([id, , isAgreed]) => ({
        subscription_id: id,
        account: id === 'far' ? 'users/ann' : 'clients/c',
        sees_all: 0,
        is_agreed: isAgreed,
      })),
    );
    // The id is taken for the server's own events alone: each publisher has ids of its own.
    await database.run(publish('users/ann'));
    await expect(database.run(publish(''))).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' });
    const kept = await database.all(sql`SELECT publisher FROM events_published ORDER BY position`);
    expect(kept).toEqual([{ publisher: '' }, { publisher: 'users/ann' }]);
  });
});

async function insert(
  database: Database,
  { id, endpoint, user }: { id: string; endpoint: string; user: string | null },
): Promise<void> {
  await database.run(sql`
    INSERT INTO events_subscriptions (id, uid, principal, client_id, user_id, target_resource, event_types,
      notification_endpoint, state, created_at, updated_at, expires_at, revision)
    VALUES (${id}, ${`uid-${id}`}, 'p', 'c', ${user}, ${`//x/${id}`}, '["t"]', ${endpoint}, 'ACTIVE', 0, 0, 9, 1)`);
  await database.run(sql`
    INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, is_pushed, is_narrow, state)
    VALUES (${id}, ${`uid-${id}`}, 'p', ${endpoint}, 1, 0, 'ACTIVE')`);
}
