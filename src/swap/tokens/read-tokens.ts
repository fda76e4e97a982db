import type { Hex } from 'viem';
import { encodeFunctionData, size } from 'viem/utils';
import { type ContractAnswer, callMany } from '../chain/call-many.ts';
import type { BlockReference, ChainReader, ReadOptions } from '../chain/chain-reader.ts';
import type { Address } from '../model/address.ts';
import type { TokenMetadata } from '../model/token-metadata.ts';
import { decodeTokenText } from './decode-token-text.ts';
import { tokenAbi } from './token-abi.ts';

const getters = (['totalSupply', 'decimals', 'symbol', 'name'] as const).map((functionName) =>
  encodeFunctionData({ abi: tokenAbi, functionName }),
);

/**
 * What tokens say of themselves, in one round trip. A contract without a supply is no token and is left
 * out. A token without decimals counts in whole units (ERC-20 makes them optional).
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
  const count = readNumber(decimals) ?? 0n;
  // `decimals` is a uint8: more is no number of decimals.
  if (count > 255n) return undefined;
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
