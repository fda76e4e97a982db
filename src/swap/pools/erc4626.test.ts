import { describe, expect, it } from 'vitest';
import { erc4626Vault } from '../../../tests/support/erc4626-vault.ts';
import { erc4626 } from './erc4626.ts';

describe('simulateErc4626', () => {
  it('gives for many deposits together no more than its curve, on which the bound of a quote relies [Q19]', () => {
    const vault = erc4626Vault({ shares: 1_000n, assets: 1_000n });
    const { segments } = erc4626.curve(vault, { zeroForOne: true });
    let [state, given] = [vault, 0n];
    for (let count = 0; count < 10; count += 1) {
      const deposit = erc4626.simulate(state, { zeroForOne: true, amountIn: 4_000n });
      given += deposit.amountOut;
      state = deposit.stateAfter;
    }
    expect(given).toBe(16_000n);
    expect(Number(given)).toBeLessThanOrEqual(segments.at(-1)!.outputBefore);
  });
});
