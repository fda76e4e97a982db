import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * `events_published`: every event once. `events_lanes`: one for each subscription; everything up to its cursor is dealt
 * with, and one process at a time delivers it. `events_deliveries`: the queue of each lane, numbered in order without
 * gaps. `events_exceptions`: ranges of numbers that were held or given up; one without an end still grows.
 * `events_attempts`: what was tried, a row for each stretch of a lane. `events_workers`: which processes are alive.
 */
export const deliveryMigration: Migration = {
  id: 'events-0002-delivery',
  statements: ({ identity }) => [
    `CREATE TABLE events_published (
        position ${identity},
        source TEXT NOT NULL,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        subject TEXT NOT NULL,
        occurred_at BIGINT NOT NULL,
        accepted_at BIGINT NOT NULL,
        data TEXT NOT NULL
      )`,
    'CREATE UNIQUE INDEX events_published_once ON events_published (source, id)',
    `CREATE TABLE events_lanes (
        lane ${identity},
        subscription_id TEXT NOT NULL UNIQUE,
        uid TEXT NOT NULL,
        principal TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        topic TEXT,
        payload TEXT,
        secrets TEXT,
        is_pushed BIGINT NOT NULL,
        is_narrow BIGINT NOT NULL,
        state TEXT NOT NULL,
        is_ending BIGINT NOT NULL DEFAULT 0,
        last_number BIGINT NOT NULL DEFAULT 0,
        cursor BIGINT NOT NULL DEFAULT 0,
        due_at BIGINT,
        owner TEXT,
        claim BIGINT NOT NULL DEFAULT 0,
        attempts BIGINT NOT NULL DEFAULT 0,
        tried_through BIGINT NOT NULL DEFAULT 0,
        failing_since BIGINT
      )`,
    `CREATE INDEX events_lanes_due ON events_lanes (due_at)
        WHERE due_at IS NOT NULL AND owner IS NULL AND attempts = 0`,
    `CREATE INDEX events_lanes_failing ON events_lanes (due_at)
        WHERE due_at IS NOT NULL AND owner IS NULL AND attempts > 0`,
    'CREATE INDEX events_lanes_owned ON events_lanes (owner) WHERE owner IS NOT NULL',
    'CREATE INDEX events_lanes_of_topic ON events_lanes (topic, principal) WHERE topic IS NOT NULL',
    "CREATE INDEX events_lanes_ended ON events_lanes (lane) WHERE state = 'ENDED'",
    `CREATE TABLE events_deliveries (
        lane BIGINT NOT NULL,
        number BIGINT NOT NULL,
        event BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        is_notice BIGINT NOT NULL,
        replay_of BIGINT,
        is_replayed BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (lane, number)
      )`,
    'CREATE INDEX events_deliveries_notices ON events_deliveries (lane, number) WHERE is_notice = 1',
    `CREATE TABLE events_exceptions (
        lane BIGINT NOT NULL,
        first_number BIGINT NOT NULL,
        last_number BIGINT,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (lane, first_number)
      )`,
    `CREATE TABLE events_attempts (
        position ${identity},
        lane BIGINT NOT NULL,
        first_number BIGINT NOT NULL,
        last_number BIGINT NOT NULL,
        log TEXT NOT NULL
      )`,
    'CREATE INDEX events_attempts_of_lane ON events_attempts (lane, last_number)',
    'CREATE TABLE events_workers (owner TEXT PRIMARY KEY, alive_until BIGINT NOT NULL)',
  ],
};
