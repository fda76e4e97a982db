import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Each publisher has a name space of its own for sources and ids (F6). The principal is kept with the
 * event; what this server publishes itself has none. Events of before count as the server's.
 */
export const publisherMigration: Migration = {
  id: 'events-0007-publisher',
  statements: () => [
    "ALTER TABLE events_published ADD COLUMN publisher TEXT NOT NULL DEFAULT ''",
    'DROP INDEX events_published_once',
    'CREATE UNIQUE INDEX events_published_once ON events_published (publisher, source, id)',
  ],
};
