import { type Hex, keccak256, type PublicClient } from 'viem';
import {
  create2Deployer,
  type ExecutorBuild,
  executorBuilds,
  type FormerExecutor,
  formerExecutors,
} from '../../swap/index.ts';

/** Which parts of the executor a chain has. */
export type ExecutorOnChain = {
  readonly chainId: number;
  readonly builds: readonly BuildOnChain[];
  /** Builds of earlier versions that are there. Nothing uses them any more, but allowances to them stay. */
  readonly former: readonly FormerExecutor[];
  /** Whether the public CREATE2 deployer is there. */
  readonly hasDeployer: boolean;
  /** Which build suits the chain: one needs transient storage (EIP-1153). */
  readonly suited: ExecutorBuild['name'];
};

export type BuildOnChain = Pick<ExecutorBuild, 'name' | 'address'> & {
  readonly status: 'deployed' | 'absent' | 'other code';
};

// push1 0, tload, push1 0, mstore, push1 32, push1 0, return
const readsTransientStorage: Hex = '0x60005c60005260206000f3';

/** Reads the code of both builds, of earlier ones and of the deployer, and checks whether the chain has transient storage. */
export async function readExecutorOnChain(client: PublicClient): Promise<ExecutorOnChain> {
  const [chainId, deployer, isTransient, ...codes] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: create2Deployer }),
    client.call({ data: readsTransientStorage }).then(
      () => true,
      () => false,
    ),
    ...[...executorBuilds, ...formerExecutors].map(({ address }) => client.getCode({ address })),
  ]);
  const hasCode = (index: number, codeHash: Hex) => {
    const code = codes[index];
    return code !== undefined && keccak256(code) === codeHash;
  };
  return {
    chainId,
    builds: executorBuilds.map(({ name, address, codeHash }, index) => {
      const isOurs = hasCode(index, codeHash);
      return {
        name,
        address,
        status: isOurs ? 'deployed' : codes[index] ? 'other code' : 'absent',
      };
    }),
    former: formerExecutors.filter(({ codeHash }, index) =>
      hasCode(executorBuilds.length + index, codeHash),
    ),
    hasDeployer: deployer !== undefined,
    suited: isTransient ? 'transient' : 'storage',
  };
}
