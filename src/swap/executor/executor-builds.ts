import type { Hex } from 'viem';
import { getContractAddress } from 'viem/utils';
import { type Address, parseAddress } from '../model.ts';
import { compiledStorageExecutor } from './contracts/compiled-storage-executor.ts';
import { compiledTransientExecutor } from './contracts/compiled-transient-executor.ts';

/**
 * The public contract that deploys whatever it is sent by CREATE2
 * (github.com/Arachnid/deterministic-deployment-proxy). It has this address on nearly every chain, and what it
 * deploys has the same address everywhere.
 */
export const create2Deployer = parseAddress('0x4e59b44847b379578588920cA78FbF26c0B4956C');

const salt: Hex = `0x${'0'.repeat(64)}`;

/** One build of the executor, and its address on every chain that has it [Q23]. */
export type ExecutorBuild = {
  readonly name: 'transient' | 'storage';
  readonly address: Address;
  /** The hash of the code at the address; other code there is not ours. */
  readonly codeHash: Hex;
  /** What the deployer is sent: salt and creation code. */
  readonly deploymentData: Hex;
};

/** The cheaper build first: chains with transient storage should have it. */
export const executorBuilds: readonly [ExecutorBuild, ...ExecutorBuild[]] = [
  describeBuild('transient', compiledTransientExecutor),
  describeBuild('storage', compiledStorageExecutor),
];

/** A build that quotes no longer use. Its code stays where somebody deployed it, and so do allowances to it. */
export type FormerExecutor = Pick<ExecutorBuild, 'name' | 'address' | 'codeHash'> & {
  /** What is wrong with it, for whoever still uses it. */
  readonly fault: string;
};

/** The newest first. Whoever changes the contract adds the two builds until then. */
export const formerExecutors: readonly FormerExecutor[] = (
  [
    [
      'transient',
      '0x4a40852AB7941dd4e4348D59b5E051b6152afC5e',
      '0xebbd29a484cac0c43834b9068603375a4cbca355b22bafc3c361eb72a12c388a',
    ],
    [
      'storage',
      '0xD0AC32eeC7aFd1B49Ef5dAbEc5c277FD7027ccf5',
      '0xed2aff56a07c4e08c25e1759d038962b7cb72fe72227aaa7fba64310ae131040',
    ],
  ] as const
).map(([name, address, codeHash]) => ({
  name,
  address: parseAddress(address),
  codeHash,
  fault: 'may deliver less than the minimum of a token that taxes transfers',
}));

function describeBuild(
  name: ExecutorBuild['name'],
  compiled: Readonly<Record<'creationCode' | 'creationCodeHash' | 'runtimeCodeHash', Hex>>,
): ExecutorBuild {
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: create2Deployer,
    salt,
    bytecodeHash: compiled.creationCodeHash,
  });
  return {
    name,
    address: parseAddress(address),
    codeHash: compiled.runtimeCodeHash,
    deploymentData: `${salt}${compiled.creationCode.slice(2)}`,
  };
}
