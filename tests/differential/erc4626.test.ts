import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateErc4626 } from '../../src/swap/pools/erc4626.ts';
import { erc4626Vault } from '../support/erc4626-vault.ts';
import { amountsOfBits, powersOfTwoTimes } from '../support/random-amounts.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const probeAbi = parseAbi([
  'struct Settings { bool hasVirtualShares; uint8 offset; uint256 firstDeposit; uint256 assets; }',
  'struct Offer { bool isDeposit; uint256 amountIn; }',
  'struct Outcome { bool refused; uint256 amountOut; uint256 supply; uint256 assets; }',
  'function run(Settings settings, Offer[] offers) returns (uint256 supply, Outcome[] outcomes)',
]);

let probe: Probe;

beforeAll(async () => {
  probe = await openProbe('Erc4626Probe');
});
afterAll(() => probe.evm.close());

type Settings = {
  readonly hasVirtualShares: boolean;
  readonly offset: number;
  readonly firstDeposit: bigint;
  readonly assets: bigint;
};
type Offer = { readonly isDeposit: boolean; readonly amountIn: bigint };

/** Vaults that earned up to a hundred times the deposits, or lost up to nine tenths of them. */
const vaults: fc.Arbitrary<Settings> = fc
  .record({
    hasVirtualShares: fc.boolean(),
    offset: fc.constantFrom(0, 3, 6),
    firstDeposit: amountsOfBits(100),
  })
  .chain((vault) =>
    powersOfTwoTimes(vault.firstDeposit, [-3, 7]).map((assets) => ({ ...vault, assets })),
  );

function offersTo({ firstDeposit }: Settings): fc.Arbitrary<Offer> {
  const amountIn = fc.oneof(
    { weight: 1, arbitrary: fc.bigInt(1n, 2000n) },
    { weight: 1, arbitrary: amountsOfBits(120) },
    { weight: 4, arbitrary: powersOfTwoTimes(firstDeposit, [-20, 2]) },
  );
  return fc.record({ isDeposit: fc.boolean(), amountIn });
}

it(
  `deposits and redeems as the vaults of OpenZeppelin and Solady do, ${swapCount} times [Q26]`,
  async () => {
    const experiments = vaults.chain((settings) =>
      fc.record({
        settings: fc.constant(settings),
        offers: fc.array(offersTo(settings), { minLength: swapsPerPool, maxLength: swapsPerPool }),
      }),
    );
    await compareInRandomPools(experiments, compare);
  },
  comparisonTimeout,
);

async function compare({ settings, offers }: { settings: Settings; offers: readonly Offer[] }) {
  const [supply, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    data: await probe.call(encodeFunctionData({ abi: probeAbi, args: [settings, offers] })),
  });
  const virtualShares = settings.hasVirtualShares ? 10n ** BigInt(settings.offset) : 0n;
  const virtualAssets = settings.hasVirtualShares ? 1n : 0n;
  let state = erc4626Vault({
    shares: supply + virtualShares,
    assets: settings.assets + virtualAssets,
  });
  for (const [index, { isDeposit, amountIn }] of offers.entries()) {
    const theirs = outcomes[index]!;
    // No holder has more shares than exist: offers that would need virtual shares are skipped.
    if (!isDeposit && amountIn > state.shares - virtualShares) continue;
    const ours = simulateErc4626(state, { zeroForOne: isDeposit, amountIn });
    const isLeft = state.assets === 0n || state.assets + amountIn > state.mostAssets;
    if (isDeposit && isLeft) {
      // Ours refuses such a deposit, also into an empty vault; the vault takes it, so go on from its state.
      expect(ours.shortfall).toBeDefined();
      const { supply: shares, assets } = theirs;
      state = erc4626Vault({ shares: shares + virtualShares, assets: assets + virtualAssets });
      continue;
    }
    expect({ ...theirs, refused: ours.shortfall !== undefined }).toEqual({
      refused: theirs.refused,
      amountOut: ours.amountOut,
      supply: ours.stateAfter.shares - virtualShares,
      assets: ours.stateAfter.assets - virtualAssets,
    });
    state = ours.stateAfter;
  }
}
