import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { openAnvil } from './open-anvil.ts';

/** An empty chain in this process or, if `TEST_ANVIL` holds the path of anvil, in a process of anvil. */
export function openTestEvm(options: { chainId: number }): Promise<Evm> {
  const anvil = process.env.TEST_ANVIL;
  return anvil === undefined ? openEvm(options) : openAnvil(anvil, options);
}
