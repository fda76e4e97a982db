import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';

/** An open endpoint that answered well when last measured. One with a secret is never stored. */
export type StoredEndpoint = {
  readonly url: string;
  readonly origin: 'registry' | 'chain-list';
  readonly errorRate: number;
  readonly latencyMs: number;
  readonly headAgeMs: number;
  readonly measuredAt: number;
};

export async function loadRpcEndpoints(
  queries: Queries,
  chainId: number,
): Promise<readonly StoredEndpoint[]> {
  const rows = await queries.all<EndpointRow>(sql`
    SELECT url, origin, error_rate, latency_ms, head_age_ms, measured_at
    FROM rpc_endpoints WHERE chain_id = ${chainId} ORDER BY url`);
  return rows.map((row) => ({
    url: row.url,
    origin: row.origin,
    errorRate: row.error_rate,
    latencyMs: row.latency_ms,
    headAgeMs: row.head_age_ms,
    measuredAt: row.measured_at,
  }));
}

/** Replaces the stored list of the chain. */
export async function replaceRpcEndpoints(
  database: Transactional,
  chainId: number,
  endpoints: readonly StoredEndpoint[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM rpc_endpoints WHERE chain_id = ${chainId}`);
    for (const endpoint of endpoints) {
      // Another process may be replacing the same list: either is as good.
      await tx.run(sql`
        INSERT INTO rpc_endpoints
          (chain_id, url, origin, error_rate, latency_ms, head_age_ms, measured_at)
        VALUES (${chainId}, ${endpoint.url}, ${endpoint.origin}, ${endpoint.errorRate},
          ${endpoint.latencyMs}, ${endpoint.headAgeMs}, ${endpoint.measuredAt})
        ON CONFLICT (chain_id, url) DO NOTHING`);
    }
  });
}

type EndpointRow = {
  url: string;
  origin: StoredEndpoint['origin'];
  error_rate: number;
  latency_ms: number;
  head_age_ms: number;
  measured_at: number;
};
