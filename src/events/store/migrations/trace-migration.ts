import type { Migration } from '../../../kernel/database/migrate.ts';

/** The trace in which an event was published, as `traceparent` has it: deliveries go on with it (T5). */
export const traceMigration: Migration = {
  id: 'events-0012-trace',
  statements: () => ['ALTER TABLE events_published ADD COLUMN trace TEXT'],
};
