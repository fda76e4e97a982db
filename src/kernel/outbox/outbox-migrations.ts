import type { Migration } from '../database/migrate.ts';

/**
 * `outbox_consumers`: who wants which topic. `outbox_lanes`: who relays a part of a consumer's
 * events, and until when. `outbox`: one row for each event and consumer, gone when handled.
 */
export const outboxMigrations: readonly Migration[] = [
  {
    id: 'kernel-0001-outbox',
    statements: ({ identity }) => [
      `CREATE TABLE outbox_consumers (
        consumer TEXT NOT NULL, topic TEXT NOT NULL, seen_at BIGINT NOT NULL,
        PRIMARY KEY (topic, consumer))`,
      `CREATE TABLE outbox_lanes (
        consumer TEXT NOT NULL, lane BIGINT NOT NULL,
        owner TEXT NOT NULL, lease_until BIGINT NOT NULL,
        PRIMARY KEY (consumer, lane))`,
      `CREATE TABLE outbox (
        position ${identity}, consumer TEXT NOT NULL, lane BIGINT NOT NULL,
        topic TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, occurred_at BIGINT NOT NULL,
        attempts BIGINT NOT NULL DEFAULT 0, retry_at BIGINT NOT NULL DEFAULT 0)`,
      'CREATE INDEX outbox_by_lane ON outbox (consumer, lane, position)',
      'CREATE INDEX outbox_failed ON outbox (consumer, lane, key, retry_at) WHERE retry_at > 0',
    ],
  },
];
