import type { Migration } from '../../../../kernel/database/migrate.ts';

/** Added servers that tokens may be for, and the scopes of each; a scope belongs to one (T4). */
export const resourceMigrations: readonly Migration[] = [
  {
    id: 'authorization-0010-resources',
    statements: () => [
      `CREATE TABLE added_resources (
        id TEXT PRIMARY KEY, resource TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        created_at BIGINT NOT NULL)`,
      `CREATE TABLE added_scopes (
        name TEXT PRIMARY KEY, resource_id TEXT NOT NULL, position BIGINT NOT NULL,
        description TEXT NOT NULL, holders TEXT NOT NULL)`,
      'CREATE INDEX added_scopes_by_resource ON added_scopes (resource_id)',
    ],
  },
];
