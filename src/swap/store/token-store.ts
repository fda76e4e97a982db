import type { Database } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { type Address, parseAddress } from '../address.ts';
import type { TokenMetadata } from '../token-metadata.ts';

/** What tokens of every chain said of themselves. */
export type TokenStore = {
  /** Those of the tokens that were asked after `since`, in epoch milliseconds. */
  find(query: {
    chainId: number;
    tokens: readonly Address[];
    since: number;
  }): Promise<TokenMetadata[]>;
  /** Writes over what was known before. */
  save(
    tokens: readonly TokenMetadata[],
    origin: { chainId: number; readAt: number },
  ): Promise<void>;
};

type TokenRow = { address: string; symbol: string; name: string; decimals: number };

export function createTokenStore(database: Database): TokenStore {
  return {
    async find({ chainId, tokens, since }) {
      if (tokens.length === 0) return [];
      const rows = await database.all<TokenRow>(sql`
        SELECT address, symbol, name, decimals FROM swap_tokens
        WHERE chain_id = ${chainId} AND address IN ${sqlList(tokens)} AND read_at > ${since}`);
      return rows.map((row) => ({ ...row, address: parseAddress(row.address) }));
    },
    async save(tokens, { chainId, readAt }) {
      await database.transaction(async (tx) => {
        for (const { address, symbol, name, decimals } of tokens) {
          await tx.run(sql`
            INSERT INTO swap_tokens (chain_id, address, symbol, name, decimals, read_at)
            VALUES (${chainId}, ${address}, ${symbol}, ${name}, ${decimals}, ${readAt})
            ON CONFLICT (chain_id, address) DO UPDATE SET symbol = excluded.symbol,
              name = excluded.name, decimals = excluded.decimals, read_at = excluded.read_at`);
        }
      });
    },
  };
}
