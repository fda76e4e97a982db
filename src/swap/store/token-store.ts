import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { type Address, parseAddress, type TokenMetadata } from '../model.ts';

type TokenRow = { address: string; symbol: string; name: string; decimals: number };

/** Those of the tokens that were read after `since`, in epoch milliseconds. */
export async function findTokenMetadata(
  queries: Queries,
  {
    chainId,
    tokens,
    since,
  }: {
    chainId: number;
    tokens: readonly Address[];
    since: number;
  },
): Promise<TokenMetadata[]> {
  if (tokens.length === 0) return [];
  const rows = await queries.all<TokenRow>(sql`
    SELECT address, symbol, name, decimals FROM swap_tokens
    WHERE chain_id = ${chainId} AND address IN ${sqlList(tokens)} AND read_at > ${since}`);
  return rows.map((row) => ({ ...row, address: parseAddress(row.address) }));
}

/** Writes over what was known before. */
export async function saveTokenMetadata(
  database: Transactional,
  tokens: readonly TokenMetadata[],
  { chainId, readAt }: { chainId: number; readAt: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { address, symbol, name, decimals } of tokens) {
      await tx.run(sql`
        INSERT INTO swap_tokens (chain_id, address, symbol, name, decimals, read_at)
        VALUES (${chainId}, ${address}, ${symbol}, ${name}, ${decimals}, ${readAt})
        ON CONFLICT (chain_id, address) DO UPDATE SET symbol = excluded.symbol,
          name = excluded.name, decimals = excluded.decimals, read_at = excluded.read_at`);
    }
  });
}
