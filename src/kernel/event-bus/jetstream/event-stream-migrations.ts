import type { Migration } from '../../database/migrate.ts';

/** `event_stream`: the one row that names the stream of this database, on whichever NATS server. */
export const eventStreamMigrations: readonly Migration[] = [
  {
    id: 'kernel-0006-event-stream',
    statements: () => ['CREATE TABLE event_stream (id BIGINT PRIMARY KEY, name TEXT NOT NULL)'],
  },
];
