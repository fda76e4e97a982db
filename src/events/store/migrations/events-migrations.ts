import type { Migration } from '../../../kernel/database/migrate.ts';
import { applicationMigration } from './application-migration.ts';
import { applicationOptionsMigration } from './application-options-migration.ts';
import { boundsMigration } from './bounds-migration.ts';
import { deliveryMigration } from './delivery-migration.ts';
import { fanOutMigration } from './fan-out-migration.ts';
import { fanOutPublisherMigration } from './fan-out-publisher-migration.ts';
import { laneAgreementMigration } from './lane-agreement-migration.ts';
import { laneOrderMigration } from './lane-order-migration.ts';
import { laneRightsMigration } from './lane-rights-migration.ts';
import { monitorMigration } from './monitor-migration.ts';
import { publisherMigration } from './publisher-migration.ts';
import { sharedLeasesMigration } from './shared-leases-migration.ts';
import { sourceMigration } from './source-migration.ts';
import { subscriptionMigration } from './subscription-migration.ts';
import { traceMigration } from './trace-migration.ts';

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
];
