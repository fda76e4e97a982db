import type { Migration } from '../../kernel/database/migrate.ts';

/**
 * `events_subscriptions`: every subscription; deleted and expired ones for as long as operations are kept.
 * `events_matches`: which subscriptions get an event of a type on a target; it holds only subscriptions that still
 * exist and is written with them. `events_operations`: the results of mutations.
 */
const subscriptionMigration: Migration = {
  id: 'events-0001-subscriptions',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_subscriptions (
        id ${sortedText} PRIMARY KEY,
        uid TEXT NOT NULL,
        principal TEXT NOT NULL,
        client_id TEXT NOT NULL,
        user_id TEXT,
        target_resource TEXT NOT NULL,
        event_types TEXT NOT NULL,
        payload_options TEXT,
        notification_endpoint TEXT NOT NULL,
        drive_options TEXT,
        swap_options TEXT,
        state TEXT NOT NULL,
        suspension_reason TEXT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        revision BIGINT NOT NULL
      )`,
    'CREATE UNIQUE INDEX events_subscriptions_by_uid ON events_subscriptions (uid)',
    `CREATE UNIQUE INDEX events_subscriptions_by_target
        ON events_subscriptions (principal, target_resource) WHERE state <> 'DELETED'`,
    `CREATE INDEX events_subscriptions_by_principal
        ON events_subscriptions (principal, id) WHERE state <> 'DELETED'`,
    `CREATE INDEX events_subscriptions_by_end
        ON events_subscriptions (updated_at) WHERE state = 'DELETED'`,
    `CREATE TABLE events_matches (
        event_type TEXT NOT NULL,
        target TEXT NOT NULL,
        subscription_id ${sortedText} NOT NULL,
        PRIMARY KEY (event_type, target, subscription_id)
      )`,
    'CREATE INDEX events_matches_by_subscription ON events_matches (subscription_id)',
    `CREATE TABLE events_operations (
        name TEXT PRIMARY KEY,
        principal TEXT NOT NULL,
        kind TEXT NOT NULL,
        subscription_id TEXT NOT NULL,
        request_id TEXT,
        created_at BIGINT NOT NULL,
        response TEXT,
        error TEXT,
        sealed_secret TEXT
      )`,
    `CREATE UNIQUE INDEX events_operations_by_request
        ON events_operations (principal, request_id) WHERE request_id IS NOT NULL`,
    'CREATE INDEX events_operations_by_subscription ON events_operations (subscription_id, created_at)',
    'CREATE INDEX events_operations_by_time ON events_operations (created_at)',
  ],
};

/**
 * `events_published`: every event once. `events_lanes`: one for each subscription; everything up to its cursor is dealt
 * with, and one process at a time delivers it. `events_deliveries`: the queue of each lane, numbered in order without
 * gaps. `events_exceptions`: ranges of numbers that were held or given up; one without an end still grows.
 * `events_attempts`: what was tried, a row for each stretch of a lane. `events_workers`: which processes are alive.
 */
const deliveryMigration: Migration = {
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

/** The applications that operators add. */
const applicationMigration: Migration = {
  id: 'events-0003-applications',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_applications (
      name ${sortedText} PRIMARY KEY,
      definition TEXT NOT NULL,
      added_at BIGINT NOT NULL
    )`,
  ],
};

/**
 * What the sources of events remember. `events_source_leases`: which process runs a source. `events_price_watches`:
 * what was last reported to each subscription to a pair. `events_folders`: the folders that were ever scanned.
 * `events_folder_files`: their files, as they were last published.
 */
const sourceMigration: Migration = {
  id: 'events-0004-sources',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_source_leases (
      source TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      lease_until BIGINT NOT NULL
    )`,
    `CREATE TABLE events_price_watches (
      subscription_id TEXT PRIMARY KEY,
      told TEXT NOT NULL
    )`,
    'CREATE TABLE events_folders (folder TEXT PRIMARY KEY)',
    `CREATE TABLE events_folder_files (
      folder TEXT NOT NULL,
      path ${sortedText} NOT NULL,
      identity TEXT NOT NULL,
      size BIGINT NOT NULL,
      modified_at TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (folder, path)
    )`,
  ],
};

/**
 * Gives the subscription ids of lanes the collation that those of matches have. With two collations PostgreSQL could
 * not use the index to join them, and read all lanes for each publication.
 */
const laneOrderMigration: Migration = {
  id: 'events-0005-lane-order',
  statements: ({ sortedText }) =>
    // The embedded file has one collation, and cannot change a column.
    sortedText === 'TEXT'
      ? []
      : [`ALTER TABLE events_lanes ALTER COLUMN subscription_id TYPE ${sortedText}`],
};

/** Sources use the leases of the kernel, as all work does that runs in one process at a time. */
const sharedLeasesMigration: Migration = {
  id: 'events-0006-shared-leases',
  statements: () => ['DROP TABLE events_source_leases'],
};

/**
 * Each publisher has its own namespace for sources and ids (F6). The principal is stored with the event; events of this
 * server itself have none. Existing events count as the server's.
 */
const publisherMigration: Migration = {
  id: 'events-0007-publisher',
  statements: () => [
    "ALTER TABLE events_published ADD COLUMN publisher TEXT NOT NULL DEFAULT ''",
    'DROP INDEX events_published_once',
    'CREATE UNIQUE INDEX events_published_once ON events_published (publisher, source, id)',
  ],
};

/**
 * Whose events a lane gets with the visibility `own` (F7): those of its account, as `accountOf`
 * names it, or all. Existing lanes get those of the account that created them.
 */
const laneRightsMigration: Migration = {
  id: 'events-0008-lane-rights',
  statements: () => [
    "ALTER TABLE events_lanes ADD COLUMN account TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE events_lanes ADD COLUMN sees_all BIGINT NOT NULL DEFAULT 0',
    `UPDATE events_lanes SET account = COALESCE((
        SELECT CASE WHEN user_id IS NULL THEN 'clients/' || client_id ELSE 'users/' || user_id END
        FROM events_subscriptions WHERE id = subscription_id), '')`,
  ],
};

/**
 * Whether the endpoint of a lane agreed to get events (N3). Existing webhooks beyond this machine were asked when they
 * were created; those on loopback are asked before their next event.
 */
const laneAgreementMigration: Migration = {
  id: 'events-0009-lane-agreement',
  statements: () => [
    'ALTER TABLE events_lanes ADD COLUMN is_agreed BIGINT NOT NULL DEFAULT 0',
    `UPDATE events_lanes SET is_agreed = 1
        WHERE endpoint NOT LIKE '%"uri":"http%://localhost%' AND endpoint NOT LIKE '%"uri":"http%://127.%'
        AND endpoint NOT LIKE '%"uri":"http%://[%'`,
  ],
};

/**
 * Puts the options of all applications into one column, by their fields, in place of a column for
 * each application. Renames the column with what was last reported about a pair.
 */
const applicationOptionsMigration: Migration = {
  id: 'events-0010-application-options',
  statements: () => [
    "ALTER TABLE events_subscriptions ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",
    `UPDATE events_subscriptions SET options = '{"driveOptions":' || drive_options || '}'
        WHERE drive_options IS NOT NULL`,
    `UPDATE events_subscriptions SET options = '{"swapOptions":' || swap_options || '}'
        WHERE swap_options IS NOT NULL`,
    'ALTER TABLE events_subscriptions DROP COLUMN drive_options',
    'ALTER TABLE events_subscriptions DROP COLUMN swap_options',
    'ALTER TABLE events_price_watches RENAME COLUMN told TO last_reported',
    `UPDATE events_price_watches SET last_reported =
        REPLACE(REPLACE(last_reported, 'priceToldAt', 'priceReportedAt'), 'routeToldAt', 'routeReportedAt')`,
  ],
};

/**
 * Indexes for the latest changes, which the live feed shows, and for all subscriptions of a person through any client.
 */
const monitorMigration: Migration = {
  id: 'events-0011-monitor',
  statements: () => [
    'CREATE INDEX events_subscriptions_by_change ON events_subscriptions (updated_at)',
    `CREATE INDEX events_subscriptions_by_user
        ON events_subscriptions (user_id, id) WHERE state <> 'DELETED'`,
  ],
};

/**
 * `events_fan_outs`: publications that are still to be queued for their subscriptions, in order. `events` is JSON;
 * lanes up to `after_lane` have them, and those after `through_lane` came later.
 */
const fanOutMigration: Migration = {
  id: 'events-0011-fan-outs',
  statements: ({ identity }) => [
    `CREATE TABLE events_fan_outs (
        number ${identity},
        events TEXT NOT NULL,
        after_lane BIGINT NOT NULL DEFAULT 0,
        through_lane BIGINT NOT NULL
      )`,
  ],
};

/** The trace in which an event was published, as `traceparent` has it: deliveries go on with it (T5). */
const traceMigration: Migration = {
  id: 'events-0012-trace',
  statements: () => ['ALTER TABLE events_published ADD COLUMN trace TEXT'],
};

/**
 * Adds the publisher whose events wait to be queued; events of other publishers do not wait for them. Rows without a
 * publisher, from before or from processes of an earlier version, count for every publisher.
 */
const fanOutPublisherMigration: Migration = {
  id: 'events-0013-fan-out-publisher',
  statements: ({ sortedText }) => [
    `ALTER TABLE events_fan_outs ADD COLUMN publisher ${sortedText} NOT NULL DEFAULT '*'`,
    'CREATE INDEX events_fan_outs_in_turn ON events_fan_outs (publisher, number)',
  ],
};

/**
 * What bounds are measured by. `events_delivery_counts`: how many deliveries of a publisher were queued, by the time
 * when retention has removed them. The index finds the oldest operations of a principal.
 */
const boundsMigration: Migration = {
  id: 'events-0014-bounds',
  statements: ({ identity, sortedText }) => [
    `CREATE TABLE events_delivery_counts (
        number ${identity},
        publisher ${sortedText} NOT NULL,
        gone_at BIGINT NOT NULL,
        deliveries BIGINT NOT NULL
      )`,
    `CREATE UNIQUE INDEX events_delivery_counts_once
        ON events_delivery_counts (publisher, gone_at)`,
    'CREATE INDEX events_delivery_counts_by_end ON events_delivery_counts (gone_at)',
    'CREATE INDEX events_operations_by_principal ON events_operations (principal, created_at)',
  ],
};

/** How a request spelled a target that has one name and several spellings (G6). */
const targetSpellingMigration: Migration = {
  id: 'events-0015-target-spelling',
  statements: () => ['ALTER TABLE events_subscriptions ADD COLUMN target_spelling TEXT'],
};

/**
 * Subscriptions of MCP clients. `mcp_id` is derived from their key, of which there is one at a time; several may have one
 * target. `expires_at` of a lane: nothing is sent from then on. `given_up`: how many events in a row its receiver refused
 * for good, since when. `watermark`: how far the subscription was when an event was queued again.
 * `events_callback_checks`: which addresses passed a challenge, for whom.
 */
const mcpMigration: Migration = {
  id: 'events-0016-mcp',
  statements: ({ sortedText }) => [
    'ALTER TABLE events_subscriptions ADD COLUMN mcp_id TEXT',
    'ALTER TABLE events_subscriptions ADD COLUMN mcp TEXT',
    'DROP INDEX events_subscriptions_by_target',
    `CREATE UNIQUE INDEX events_subscriptions_by_target
        ON events_subscriptions (principal, target_resource) WHERE state <> 'DELETED' AND mcp_id IS NULL`,
    `CREATE INDEX events_subscriptions_by_resource
        ON events_subscriptions (principal, target_resource) WHERE state <> 'DELETED'`,
    `CREATE UNIQUE INDEX events_subscriptions_by_mcp
        ON events_subscriptions (mcp_id) WHERE mcp_id IS NOT NULL AND state <> 'DELETED'`,
    'ALTER TABLE events_lanes ADD COLUMN expires_at BIGINT',
    'ALTER TABLE events_lanes ADD COLUMN given_up BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE events_lanes ADD COLUMN given_up_since BIGINT',
    'ALTER TABLE events_deliveries ADD COLUMN watermark BIGINT',
    `CREATE TABLE events_callback_checks (
        principal ${sortedText} NOT NULL,
        url_hash TEXT NOT NULL,
        passed_at BIGINT NOT NULL,
        PRIMARY KEY (principal, url_hash)
      )`,
  ],
};

/**
 * The migrations of change notifications, in the order they are applied. This list sets the order, not the numbers: two
 * have the number 0011, and neither can be renamed, because databases keep the ids of applied migrations.
 */
export const eventsMigrations: readonly Migration[] = [
  subscriptionMigration,
  deliveryMigration,
  applicationMigration,
  sourceMigration,
  laneOrderMigration,
  sharedLeasesMigration,
  publisherMigration,
  laneRightsMigration,
  laneAgreementMigration,
  applicationOptionsMigration,
  monitorMigration,
  fanOutMigration,
  traceMigration,
  fanOutPublisherMigration,
  boundsMigration,
  targetSpellingMigration,
  mcpMigration,
];
