import type { Migration } from '../../kernel/database/migrate.ts';

/**
 * MCP sessions, which any process can continue (T11): what they watch, and answers on their way to another process.
 */
export const contextMigrations: readonly Migration[] = [
  {
    id: 'context-0001-sessions',
    statements: () => [
      `CREATE TABLE context_sessions (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, revision TEXT NOT NULL, used_at BIGINT NOT NULL)`,
      'CREATE INDEX context_sessions_by_owner ON context_sessions (owner, used_at)',
      'CREATE INDEX context_sessions_by_use ON context_sessions (used_at)',
      `CREATE TABLE context_watches (
        session_id TEXT NOT NULL, uri TEXT NOT NULL, PRIMARY KEY (session_id, uri))`,
      `CREATE TABLE context_answers (
        session_id TEXT NOT NULL, stream_id TEXT NOT NULL, position BIGINT NOT NULL, message TEXT NOT NULL,
        PRIMARY KEY (session_id, stream_id, position))`,
    ],
  },
];
