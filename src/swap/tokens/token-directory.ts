import type { Hex } from 'viem';
import { encodeFunctionData, size } from 'viem/utils';
import type { Transactional } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { BlockReference, ChainReader, ReadOptions } from '../chain/chain-reader.ts';
import { type ContractAnswer, callMany } from '../chain/packed-calls.ts';
import { developmentChainId } from '../deployments/deployment.ts';
import type { Address, TokenMetadata } from '../model.ts';
import { findTokenMetadata, saveTokenMetadata } from '../store/token-store.ts';
import { decodeTokenText } from './decode-token-text.ts';
import { tokenAbi } from './token-abi.ts';

/** The symbols, names and decimals of the tokens of one chain. */
export type TokenDirectory = {
  /**
   * The tokens among the addresses: from memory, from the store, else from the chain at the block in
   * one round trip. What is no token is left out. Throws as the reader does.
   */
  find(
    tokens: readonly Address[],
    options: ReadOptions & { block: BlockReference },
  ): Promise<Map<Address, TokenMetadata>>;
};

/** Tokens do change their names: Arbitrum's USDT did. A week, in milliseconds. */
const lifetimeMs = 7 * 24 * 3_600_000;

/** What a token says that is not ready yet, or whose getters failed, is asked again after this, and not stored [F70]. */
const doubtfulLifetimeMs = 60_000;

function isDoubtful({ symbol, name, decimals }: TokenMetadata): boolean {
  return decimals === 0 || symbol === '' || name === '';
}

/** A directory that keeps at most `capacity` tokens in memory. */
export function createTokenDirectory(options: {
  reader: ChainReader;
  database: Transactional;
  clock: Clock;
  capacity: number;
}): TokenDirectory {
  const { reader, database, clock, capacity } = options;
  const { chainId } = reader;
  // The development chain starts fresh with each process: tokens stored before mean nothing there.
  const isStored = chainId !== developmentChainId;
  const memory = new Map<Address, { metadata: TokenMetadata; until: number }>();

  function remember(tokens: Iterable<TokenMetadata>): void {
    for (const metadata of tokens) {
      memory.delete(metadata.address);
      const lifetime = isDoubtful(metadata) ? doubtfulLifetimeMs : lifetimeMs;
      memory.set(metadata.address, { metadata, until: clock.now() + lifetime });
    }
    for (const address of [...memory.keys()].slice(0, Math.max(0, memory.size - capacity))) {
      memory.delete(address);
    }
  }

  function recall(address: Address): TokenMetadata | undefined {
    const known = memory.get(address);
    return known !== undefined && known.until > clock.now() ? known.metadata : undefined;
  }

  return {
    async find(tokens, { block, ...rest }) {
      const wanted = [...new Set(tokens)];
      const found = new Map<Address, TokenMetadata>();
      const missing = () => wanted.filter((address) => !found.has(address));
      const add = (some: Iterable<TokenMetadata>) => {
        for (const metadata of some) found.set(metadata.address, metadata);
      };

      add(wanted.flatMap((address) => recall(address) ?? []));
      if (isStored && missing().length > 0) {
        const since = clock.now() - lifetimeMs;
        const asked = { chainId, tokens: missing(), since };
        const stored = (await findTokenMetadata(database, asked)).filter((one) => !isDoubtful(one));
        add(stored);
        remember(stored);
      }
      if (missing().length > 0) {
        const read = await readTokens(reader, { tokens: missing(), block, ...rest });
        add(read.values());
        remember(read.values());
        const lasting = [...read.values()].filter((metadata) => !isDoubtful(metadata));
        if (isStored && lasting.length > 0)
          await saveTokenMetadata(database, lasting, { chainId, readAt: clock.now() });
      }
      return found;
    },
  };
}

const getters = (['totalSupply', 'decimals', 'symbol', 'name'] as const).map((functionName) =>
  encodeFunctionData({ abi: tokenAbi, functionName }),
);

/**
 * What tokens say of themselves, in one round trip. A contract without a supply is no token and is left
 * out, as is one that does not say its decimals: ERC-20 makes them optional, but then nobody knows what an amount is.
 */
export async function readTokens(
  reader: ChainReader,
  options: ReadOptions & { tokens: readonly Address[]; block: BlockReference },
): Promise<Map<Address, TokenMetadata>> {
  const { tokens, ...rest } = options;
  const calls = tokens.flatMap((target) => getters.map((data) => ({ target, data })));
  const answers = await callMany(reader, { ...rest, calls });
  const found = new Map<Address, TokenMetadata>();
  for (const [index, address] of tokens.entries()) {
    const own = answers.slice(index * getters.length, (index + 1) * getters.length);
    const metadata = readMetadata(address, own);
    if (metadata !== undefined) found.set(address, metadata);
  }
  return found;
}

function readMetadata(
  address: Address,
  [supply, decimals, symbol, name]: readonly ContractAnswer[],
): TokenMetadata | undefined {
  if (readNumber(supply) === undefined) return undefined;
  const count = readNumber(decimals);
  // `decimals` is a uint8: more is no number of decimals. Nor is nothing: a price would be wrong by any power of ten [F98].
  if (count === undefined || count > 255n) return undefined;
  return {
    address,
    symbol: readText(symbol),
    name: readText(name),
    decimals: Number(count),
  };
}

function readNumber(answer: ContractAnswer | undefined): bigint | undefined {
  if (!answer?.ok || size(answer.data) < 32) return undefined;
  return BigInt(answer.data.slice(0, 66) as Hex);
}

function readText(answer: ContractAnswer | undefined): string {
  return answer?.ok ? decodeTokenText(answer.data) : '';
}
