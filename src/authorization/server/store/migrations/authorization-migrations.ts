import type { Migration } from '../../../../kernel/database/migrate.ts';
import { clientMigrations } from './client-migrations.ts';
import { identityProviderMigrations } from './identity-provider-migrations.ts';
import { peopleMigrations } from './people-migrations.ts';
import { requestMigrations } from './request-migrations.ts';
import { resourceMigrations } from './resource-migrations.ts';
import { tokenMigrations } from './token-migrations.ts';

/** The tables of authorization, in the order they are made. */
export const authorizationMigrations: readonly Migration[] = [
  ...clientMigrations,
  ...tokenMigrations,
  ...requestMigrations,
  ...peopleMigrations,
  ...identityProviderMigrations,
  ...resourceMigrations,
];
