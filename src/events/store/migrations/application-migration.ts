import type { Migration } from '../../../kernel/database/migrate.ts';

/** The applications that operators add. */
export const applicationMigration: Migration = {
  id: 'events-0003-applications',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_applications (
      name ${sortedText} PRIMARY KEY,
      definition TEXT NOT NULL,
      added_at BIGINT NOT NULL
    )`,
  ],
};
