import {
  type Address,
  concat,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  numberToHex,
  zeroAddress,
} from 'viem';
import type { Evm } from '../../../src/devchain/evm/open-evm.ts';
import {
  addAlgebraPool,
  deployAlgebra,
} from '../../../src/devchain/exchanges/add-other-exchanges.ts';
import { deployMoreExchanges } from '../../../src/devchain/exchanges/deploy-more-exchanges.ts';
import { uniswapDeployment } from '../../../src/devchain/known-exchanges.ts';
import { sortTokens } from '../../../src/devchain/pools/add-constant-product-pool.ts';
import {
  addSolidlyPools,
  addStableSwapPool,
  addVault,
} from '../../../src/devchain/pools/add-other-pools.ts';
import { addManagedPool, addPancakePool } from '../../../src/devchain/pools/add-provided-pool.ts';
import type { Token } from '../../../src/devchain/tokens.ts';
import type { WorldPool } from './world-pool.ts';

const amount = 10_000n * 10n ** 18n;
const atOne = { sqrtPriceX96: 1n << 96n, fee: 3000 } as const;
const around = { tickLower: -60, tickUpper: 60, amount0: amount, amount1: amount };

type Tokens = readonly [wrapped: Token, one: Token, two: Token, three: Token];

/**
 * Adds the exchanges that the development chain has besides Uniswap V2 and V3, all at a price of one: for each pair of
 * tokens a pool of PancakeSwap V3, Algebra, Uniswap V4 and both curves of Solidly, for the last three tokens a pool of
 * Curve, and a vault of the second token. Returns the pools, and the vault's share as a further token.
 */
export async function addPoolsOfEveryKind(
  evm: Evm,
  tokens: Tokens,
): Promise<{ pools: WorldPool[]; share: Token }> {
  await deployMoreExchanges(evm);
  const algebra = await deployAlgebra(evm);
  const pools: WorldPool[] = [];
  const pairs = tokens.flatMap((one, index) =>
    tokens.slice(index + 1).map((other) => sortTokens(one.address, other.address)),
  );
  for (const [token0, token1] of pairs) {
    const pool = { token0, token1, ...atOne, positions: [around] };
    const sorted = [token0, token1] as const;
    for (const [record, address] of [
      ['concentrated', await addPancakePool(evm, { ...pool, fee: 500, positions: [around] })],
      ['algebra', await addAlgebraPool(evm, algebra, pool)],
    ] as const) {
      pools.push({ address, kind: 1, record, extra: '0x', tokens: sorted });
    }
    pools.push(...(await addManaged(evm, sorted)));
  }
  pools.push(...(await addSolidly(evm, pairs)));

  const [, one, two, three] = tokens;
  const coins = [one, two, three] as const;
  const address = await addStableSwapPool(evm, { coins, amount: 10_000n });
  for (const [sold, tokenIn] of coins.entries()) {
    for (const [bought, tokenOut] of coins.entries()) {
      if (sold === bought) continue;
      const extra = concat([numberToHex(sold, { size: 1 }), numberToHex(bought, { size: 1 })]);
      const traded = sortTokens(tokenIn.address, tokenOut.address);
      pools.push({
        address,
        kind: 4,
        record: 'curve',
        extra,
        tokens: traded,
        tokenIn: tokenIn.address,
      });
    }
  }
  const share = await addVault(evm, {
    address: `0x${'5a'.repeat(20)}`,
    name: 'Share',
    symbol: 'SHARE',
    decimals: 18,
    asset: one,
    deposit: 1_000n,
  });
  const shared = sortTokens(one.address, share.address);
  pools.push({ address: share.address, kind: 5, record: 'erc4626', extra: '0x', tokens: shared });
  return { pools, share };
}

/** A pool of Uniswap V4, in both directions. It holds the native currency in place of wrapped ether. */
async function addManaged(evm: Evm, tokens: readonly [Address, Address]): Promise<WorldPool[]> {
  const isNative = (token: Address) => token === uniswapDeployment.wrappedNative;
  const currencies = tokens.map((token) => (isNative(token) ? zeroAddress : token));
  const [token0, token1] = sortTokens(currencies[0]!, currencies[1]!);
  const address = await addManagedPool(evm, { token0, token1, ...atOne, positions: [around] });
  const key: Hex[] = [numberToHex(3000, { size: 3 }), numberToHex(60, { size: 3 }), zeroAddress];
  return tokens.map((tokenIn) => {
    const tokenOut = tokens[0] === tokenIn ? tokens[1] : tokens[0];
    const native = (isNative(tokenIn) ? 1 : 0) | (isNative(tokenOut) ? 2 : 0);
    const extra = concat([numberToHex(native, { size: 1 }), ...key]);
    return { address, kind: 2, record: 'uniswap-v4', extra, tokens, tokenIn };
  });
}

async function addSolidly(
  evm: Evm,
  pairs: readonly (readonly [Address, Address])[],
): Promise<WorldPool[]> {
  const wanted = pairs.flatMap((tokens) => [
    { tokens, isStable: false, reserves: [amount, amount] as const },
    { tokens, isStable: true, reserves: [amount, amount] as const },
  ]);
  const { factory, initCodeHash } = await addSolidlyPools(evm, wanted);
  return wanted.map(({ tokens, isStable }) => {
    const salt = encodePacked(['address', 'address', 'bool'], [...tokens, isStable]);
    const address = getCreate2Address({
      from: factory,
      salt: keccak256(salt),
      bytecodeHash: initCodeHash,
    });
    return { address, kind: 3, record: 'solidly', extra: '0x', tokens };
  });
}
