import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Whether the endpoint of a lane agreed to get events (N3). Existing webhooks beyond this machine were asked when they
 * were created; those on loopback are asked before their next event.
 */
export const laneAgreementMigration: Migration = {
  id: 'events-0009-lane-agreement',
  statements: () => [
    'ALTER TABLE events_lanes ADD COLUMN is_agreed BIGINT NOT NULL DEFAULT 0',
    `UPDATE events_lanes SET is_agreed = 1
        WHERE endpoint NOT LIKE '%"uri":"http%://localhost%' AND endpoint NOT LIKE '%"uri":"http%://127.%'
        AND endpoint NOT LIKE '%"uri":"http%://[%'`,
  ],
};
