import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Each publisher has its own namespace for sources and ids (F6). The principal is stored with the event; events of this
 * server itself have none. Existing events count as the server's.
 */
export const publisherMigration: Migration = {
  id: 'events-0007-publisher',
  statements: () => [
    "ALTER TABLE events_published ADD COLUMN publisher TEXT NOT NULL DEFAULT ''",
    'DROP INDEX events_published_once',
    'CREATE UNIQUE INDEX events_published_once ON events_published (publisher, source, id)',
  ],
};
