import type { Migration } from '../../../kernel/database/migrate.ts';
import { clientMigrations } from './client-migrations.ts';
import { peopleMigrations } from './people-migrations.ts';
import { requestMigrations } from './request-migrations.ts';
import { thirdPartyMigrations } from './third-party-migrations.ts';
import { tokenMigrations } from './token-migrations.ts';

/** The tables of authorization, in the order they are made. */
export const authorizationMigrations: readonly Migration[] = [
  ...clientMigrations,
  ...tokenMigrations,
  ...requestMigrations,
  ...peopleMigrations,
  ...thirdPartyMigrations,
];
