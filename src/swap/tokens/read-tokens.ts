import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
} from 'viem';
import type { Address } from '../address.ts';
import type { BlockReference, ChainReader } from '../chain/chain-reader.ts';
import { compiledContracts } from '../chain/contracts/compiled-contracts.ts';
import { createPackedReader } from '../chain/packed-reader.ts';
import type { TokenInfo } from '../quote/quote.ts';
import { readTokenText } from './read-token-text.ts';

export type ReadTokensOptions = {
  readonly tokens: readonly Address[];
  readonly block: BlockReference;
  readonly signal?: AbortSignal;
};

const facts = (['decimals', 'symbol', 'name'] as const).map((functionName) =>
  encodeFunctionData({ abi: erc20Abi, functionName }),
);

// More than any sane token uses to tell its name; a hostile one cannot take the others' share.
const gasPerCall = 100_000n;
// A string of 96 bytes with its offset and length.
const longestData = 160n;
// Three answers each, which leaves room to spare in what a call may return.
const tokensPerCall = 40;

/**
 * What the contracts say of themselves at a block. An address that is no contract or does not answer
 * `decimals()` is left out: it is no token. One without a readable symbol gets the head of its address.
 */
export async function readTokens(
  reader: Pick<ChainReader, 'call'>,
  { tokens, block, signal }: ReadTokensOptions,
): Promise<Map<Address, TokenInfo>> {
  const groups = Array.from({ length: Math.ceil(tokens.length / tokensPerCall) }, (_, index) =>
    tokens.slice(index * tokensPerCall, (index + 1) * tokensPerCall),
  );
  const calls = groups.map((group) => ({ data: encodeCall(group) }));
  const outcomes = await reader.call(calls, { block, ...(signal ? { signal } : {}) });
  const infos = groups.flatMap((group, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'returned' ? readInfos(group, outcome.data) : [];
  });
  return new Map(infos.map((info) => [info.address, info]));
}

function encodeCall(tokens: readonly Address[]): Hex {
  const calls = tokens.flatMap((target) => facts.map((data) => ({ target, data })));
  const types = [
    {
      type: 'tuple[]',
      components: [
        { name: 'target', type: 'address' },
        { name: 'data', type: 'bytes' },
      ],
    },
    { type: 'uint256' },
    { type: 'uint256' },
  ] as const;
  return concat([
    compiledContracts.CallMany,
    encodeAbiParameters(types, [calls, gasPerCall, longestData]),
  ]);
}

function readInfos(tokens: readonly Address[], data: Hex): TokenInfo[] {
  const answer = createPackedReader(data);
  if (answer.remaining() === 0) return [];
  answer.number(1); // the version of the format, which has only one so far
  const next = (): Hex | undefined => {
    if (answer.remaining() === 0) return undefined;
    const succeeded = answer.number(1) === 1;
    const returned = answer.bytes(answer.number(2));
    return succeeded ? returned : undefined;
  };
  return tokens.flatMap((address) => {
    const [decimals, symbol = '0x', name = '0x'] = [next(), next(), next()];
    const places = decimals?.length === 66 ? hexToBigInt(decimals) : undefined;
    // ERC-20 has decimals as uint8.
    if (places === undefined || places > 255n) return [];
    const shown = readTokenText(symbol) || address.slice(0, 8);
    return [
      { address, symbol: shown, name: readTokenText(name) || shown, decimals: Number(places) },
    ];
  });
}
