import type { Migration } from '../../../kernel/database/migrate.ts';
import { tokenMigrations } from './token-migrations.ts';

/** The tables of authorization, in the order they are made. */
export const authorizationMigrations: readonly Migration[] = [...tokenMigrations];
