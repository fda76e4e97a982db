import type { Hex } from 'viem';
import { concat, getContractAddress, keccak256, pad, slice } from 'viem/utils';
import { type Address, parseAddress } from '../model.ts';
import type { Create2Exchange } from './pool.ts';

/** `keccak256('zksyncCreate2')`, with which ZKsync's `ContractDeployer` begins what it hashes. */
const zksyncPrefix = '0x2020dba91b30cc0006188af794c2fb30dd8520db7e2c088b7fc7c103c00ca494';

/** The hash of the code that creates a minimal proxy of a contract: EIP-1167, as OpenZeppelin writes it. */
export function cloneCodeHash(implementation: Hex): Hex {
  return keccak256(concat([cloneHead, implementation, cloneTail]));
}

const cloneHead = '0x3d602d80600a3d3981f3363d3d373d3d3d363d73';
const cloneTail = '0x5af43d82803e903d91602b57fd5bf3';

/**
 * The address at which an exchange deploys the pool with that salt: EIP-1014, or what ZKsync has in
 * its place. It says nothing of whether the pool has been deployed.
 */
export function create2Address(exchange: Create2Exchange, salt: Hex): Address {
  const from = exchange.poolDeployer ?? exchange.factory;
  if (exchange.create2 === 'zksync') {
    // The last part is the hash of the constructor's input, and a pool's constructor takes none.
    const parts = [zksyncPrefix, pad(from), salt, exchange.initCodeHash, keccak256('0x')] as const;
    return parseAddress(slice(keccak256(concat(parts)), 12));
  }
  const bytecodeHash = exchange.initCodeHash;
  return parseAddress(getContractAddress({ opcode: 'CREATE2', from, bytecodeHash, salt }));
}
