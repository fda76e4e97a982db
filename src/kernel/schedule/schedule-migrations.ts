import type { Migration } from '../database/migrate.ts';

/** `scheduled_work`: what is to be done and when. `revision` distinguishes one scheduling from the next. */
export const scheduleMigrations: readonly Migration[] = [
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
