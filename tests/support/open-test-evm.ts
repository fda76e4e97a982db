import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { openAnvil } from './open-anvil.ts';

/** An empty chain in this process or, where `TEST_ANVIL` says where anvil is, in a process of that. */
export function openTestEvm(options: { chainId: number }): Promise<Evm> {
  const anvil = process.env.TEST_ANVIL;
  return anvil === undefined ? openEvm(options) : openAnvil(anvil, options);
}
