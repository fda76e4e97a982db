import { type Hex, keccak256, type PublicClient } from 'viem';
import { create2Deployer, type ExecutorBuild, executorBuilds } from '../../swap/index.ts';

/** Which parts of the executor a chain has. */
export type ExecutorOnChain = {
  readonly chainId: number;
  readonly builds: readonly BuildOnChain[];
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

/** Reads the code of both builds and of the deployer, and checks whether the chain has transient storage. */
export async function readExecutorOnChain(client: PublicClient): Promise<ExecutorOnChain> {
  const [chainId, deployer, isTransient, ...codes] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: create2Deployer }),
    client.call({ data: readsTransientStorage }).then(
      () => true,
      () => false,
    ),
    ...executorBuilds.map(({ address }) => client.getCode({ address })),
  ]);
  return {
    chainId,
    builds: executorBuilds.map(({ name, address, codeHash }, index) => {
      const code = codes[index];
      const isOurs = code !== undefined && keccak256(code) === codeHash;
      return { name, address, status: isOurs ? 'deployed' : code ? 'other code' : 'absent' };
    }),
    hasDeployer: deployer !== undefined,
    suited: isTransient ? 'transient' : 'storage',
  };
}
