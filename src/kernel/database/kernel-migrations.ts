import type { Migration } from './migrate.ts';

/**
 * `outbox_consumers`: who wants which topic. `outbox` and `outbox_lanes` are what earlier processes use
 * for what is `work` today.
 */
const outboxMigrations: readonly Migration[] = [
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

/** `scheduled_work` is what earlier processes use for what is `work` today. */
const scheduleMigrations: readonly Migration[] = [
  {
    id: 'kernel-0002-scheduled-work',
    statements: () => [
      `CREATE TABLE scheduled_work (
        kind TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, due_at BIGINT NOT NULL,
        attempts BIGINT NOT NULL DEFAULT 0, revision BIGINT NOT NULL DEFAULT 0,
        owner TEXT NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (kind, key))`,
      'CREATE INDEX scheduled_work_by_due_time ON scheduled_work (kind, due_at)',
    ],
  },
];

/** `rate_limits`: for each caller the time until which its tokens are given out, in microseconds. */
export const rateLimitMigrations: readonly Migration[] = [
  {
    id: 'kernel-0003-rate-limits',
    statements: () => [
      `CREATE TABLE rate_limits (
        name TEXT NOT NULL, key TEXT NOT NULL, given_until BIGINT NOT NULL,
        PRIMARY KEY (name, key))`,
      'CREATE INDEX rate_limits_by_time ON rate_limits (given_until)',
    ],
  },
];

/** `master_key`: the one key under which secrets are sealed, itself sealed by a secret from outside. */
export const masterKeyMigrations: readonly Migration[] = [
  {
    id: 'kernel-0004-master-key',
    statements: () => [
      `CREATE TABLE master_key (
        id BIGINT PRIMARY KEY, salt TEXT NOT NULL, sealed TEXT NOT NULL)`,
    ],
  },
];

/** `leases`: which process holds a piece of work that only one may do at a time, and until when. */
const leaseMigrations: readonly Migration[] = [
  {
    id: 'kernel-0005-leases',
    statements: () => [
      `CREATE TABLE leases (
        name TEXT PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL)`,
    ],
  },
];

/** `event_stream`: the one row that names the stream of this database, on whichever NATS server. */
const eventStreamMigrations: readonly Migration[] = [
  {
    id: 'kernel-0006-event-stream',
    statements: () => ['CREATE TABLE event_stream (id BIGINT PRIMARY KEY, name TEXT NOT NULL)'],
  },
];

/** `heartbeat`: the one row that all processes write, with the latest time that one of them has seen. */
const heartbeatMigrations: readonly Migration[] = [
  {
    id: 'kernel-0007-heartbeat',
    statements: () => [
      'CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, latest BIGINT NOT NULL)',
      'INSERT INTO heartbeat (id, latest) VALUES (1, 0)',
    ],
  },
];

/**
 * `work`: what is to be done, when, and how often it failed; gone when done. `work_parts`: who works on a part of the
 * keys of a kind, and until when.
 */
const workMigrations: readonly Migration[] = [
  {
    id: 'kernel-0008-work',
    statements: ({ identity }) => [
      `CREATE TABLE work (
        position ${identity}, kind TEXT NOT NULL, part BIGINT NOT NULL, key TEXT NOT NULL,
        payload TEXT NOT NULL, due_at BIGINT NOT NULL, attempts BIGINT NOT NULL DEFAULT 0)`,
      `CREATE TABLE work_parts (
        kind TEXT NOT NULL, part BIGINT NOT NULL, owner TEXT NOT NULL, lease_until BIGINT NOT NULL,
        PRIMARY KEY (kind, part))`,
      'CREATE INDEX work_by_due_time ON work (kind, part, due_at, position)',
      'CREATE INDEX work_by_key ON work (kind, key)',
      'CREATE INDEX work_failed ON work (kind, key, position) WHERE attempts > 0',
    ],
  },
];

/** The kernel's own tables, which come before those of any domain. */
export const kernelMigrations: readonly Migration[] = [
  ...outboxMigrations,
  ...scheduleMigrations,
  ...rateLimitMigrations,
  ...masterKeyMigrations,
  ...leaseMigrations,
  ...eventStreamMigrations,
  ...heartbeatMigrations,
  ...workMigrations,
];
