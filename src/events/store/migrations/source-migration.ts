import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * What the sources of events remember. `events_source_leases`: which process runs a source. `events_price_watches`:
 * what was last reported to each subscription to a pair. `events_folders`: the folders that were ever scanned.
 * `events_folder_files`: their files, as they were last published.
 */
export const sourceMigration: Migration = {
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
