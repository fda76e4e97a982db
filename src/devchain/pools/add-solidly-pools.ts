import {
  type Address,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem';
import { encodePacked } from 'viem/utils';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import { deployContract } from '../evm/deploy-contract.ts';
import type { Evm } from '../evm/open-evm.ts';
import { sendBatch } from '../evm/send-batch.ts';
import { giftCalls } from '../tokens/give-tokens.ts';
import { sortTokens } from './pool-address.ts';

export type SolidlyPair = {
  /** In any order; `reserves` are in the same. */
  readonly tokens: readonly [Address, Address];
  readonly reserves: readonly [bigint, bigint];
  readonly isStable: boolean;
};

export type Solidly = { readonly factory: Address; readonly initCodeHash: Hex };

const solidlyAbi = parseAbi([
  'function createPair(address tokenA, address tokenB, bool isStable) returns (address)',
  'function sync()',
]);

/** Hash of the creation code of a pair, from which its address is derived. */
const initCodeHash = keccak256(compiledContracts.SolidlyPair);

/** Deploys a Solidly factory, a small contract of our own, with these pairs. */
export async function addSolidlyPools(evm: Evm, pairs: readonly SolidlyPair[]): Promise<Solidly> {
  const factory = await deployContract(evm, compiledContracts.SolidlyFactory);
  for (const { tokens, reserves, isStable } of pairs) {
    const pair = getCreate2Address({
      from: factory,
      salt: keccak256(
        encodePacked(['address', 'address', 'bool'], [...sortTokens(...tokens), isStable]),
      ),
      bytecodeHash: initCodeHash,
    });
    const create = {
      abi: solidlyAbi,
      functionName: 'createPair',
      args: [...tokens, isStable],
    } as const;
    await sendBatch(evm, [
      { to: factory, data: encodeFunctionData(create) },
      ...giftCalls({ token: tokens[0], holders: [pair], amount: reserves[0] }),
      ...giftCalls({ token: tokens[1], holders: [pair], amount: reserves[1] }),
      { to: pair, data: encodeFunctionData({ abi: solidlyAbi, functionName: 'sync' }) },
    ]);
  }
  return { factory, initCodeHash };
}
