import type { Database } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { parseAddress } from '../address.ts';
import type { TokenStore } from '../tokens/token-directory.ts';

type TokenRow = { address: string; symbol: string; name: string; decimals: number };

/** Token metadata of one chain in the database. What is stored stays: tokens do not change it. */
export function createTokenStore(database: Database, chainId: number): TokenStore {
  return {
    async load(tokens) {
      const rows = await database.all<TokenRow>(sql`
        SELECT address, symbol, name, decimals FROM swap_tokens
        WHERE chain_id = ${chainId} AND address IN ${sqlList(tokens)}`);
      return rows.map((row) => ({ ...row, address: parseAddress(row.address) }));
    },
    async save(infos) {
      await database.transaction(async (tx) => {
        for (const { address, symbol, name, decimals } of infos) {
          await tx.run(sql`
            INSERT INTO swap_tokens (chain_id, address, symbol, name, decimals)
            VALUES (${chainId}, ${address}, ${symbol}, ${name}, ${decimals})
            ON CONFLICT (chain_id, address) DO NOTHING`);
        }
      });
    },
  };
}
