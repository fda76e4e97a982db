import type { Migration } from '../../kernel/database/migrate.ts';

/** The schema of this domain, step by step. */
export const swapMigrations: readonly Migration[] = [
  {
    id: 'swap-0001-rpc-endpoints',
    statements: () => [
      `CREATE TABLE rpc_endpoints (
        chain_id BIGINT NOT NULL,
        url TEXT NOT NULL,
        origin TEXT NOT NULL,
        error_rate DOUBLE PRECISION NOT NULL,
        latency_ms DOUBLE PRECISION NOT NULL,
        head_age_ms DOUBLE PRECISION NOT NULL,
        measured_at BIGINT NOT NULL,
        PRIMARY KEY (chain_id, url)
      )`,
    ],
  },
  {
    id: 'swap-0002-tokens',
    statements: () => [
      `CREATE TABLE swap_tokens (
        chain_id BIGINT NOT NULL,
        address TEXT NOT NULL,
        symbol TEXT NOT NULL,
        name TEXT NOT NULL,
        decimals BIGINT NOT NULL,
        read_at BIGINT NOT NULL,
        PRIMARY KEY (chain_id, address)
      )`,
    ],
  },
];
