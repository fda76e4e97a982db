import factoryArtifact from '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json' with {
  type: 'json',
};
import poolDeployerArtifact from '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json' with {
  type: 'json',
};
import { type Address, encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import type { Evm } from '../evm/open-evm.ts';
import {
  type Call,
  deployContract,
  liquidityProvider,
  sendBatch,
  sendTransaction,
} from '../evm/transactions.ts';
import type { ConcentratedPool, Position } from '../pools/add-concentrated-pool.ts';
import {
  addSolidlyPools,
  addStableSwapPool,
  addVault,
  type Solidly,
} from '../pools/add-other-pools.ts';
import { type PricedToken, planConcentratedPool } from '../pools/plan-pool.ts';
import { type DevchainSymbol, giftCalls, type Token } from '../tokens.ts';

/** The exchanges of the chain beside Uniswap and PancakeSwap. */
export type OtherExchanges = {
  readonly algebra: Algebra;
  readonly solidly: Solidly;
  readonly stableSwap: { readonly address: Address; readonly coins: readonly Token[] };
  readonly vault: { readonly token: Token; readonly asset: Address };
};

/** The address of Savings Dai on mainnet. */
const vaultAddress: Address = '0x83F20F44975D03b1b09e64809B757c47f942BEeA';

/** Adds Algebra, Solidly, Curve and a vault, each with pools between tokens that Uniswap has too. */
export async function addOtherExchanges(
  evm: Evm,
  tokens: ReadonlyMap<DevchainSymbol, Token & PricedToken>,
): Promise<OtherExchanges> {
  const token = (symbol: DevchainSymbol) => {
    const found = tokens.get(symbol);
    if (found === undefined) throw new Error(`The token ${symbol} does not exist.`);
    return found;
  };
  const [weth, usdc, usdt, dai] = [token('WETH'), token('USDC'), token('USDT'), token('DAI')];

  const algebra = await deployAlgebra(evm);
  for (const pool of [
    { tokens: ['WETH', 'USDC'], depth: 3_000n, premium: -120n },
    { tokens: ['WETH', 'USDT'], depth: 1_500n, premium: 170n },
  ] as const) {
    const pair = [token(pool.tokens[0]), token(pool.tokens[1])] as const;
    // Ticks of Algebra lie as far apart as those of this fee.
    await addAlgebraPool(evm, algebra, planConcentratedPool({ ...pool, fee: 3000 }, pair));
  }

  const million = 10n ** 6n;
  const solidly = await addSolidlyPools(evm, [
    {
      tokens: [weth.address, usdc.address],
      reserves: [500n * 10n ** 18n, 1_500_150n * million],
      isStable: false,
    },
    {
      tokens: [usdc.address, dai.address],
      reserves: [2n * million * million, 2n * million * 10n ** 18n],
      isStable: true,
    },
    {
      tokens: [usdc.address, usdt.address],
      reserves: [million * million, 1_010_000n * million],
      isStable: true,
    },
  ]);

  const coins = [dai, usdc, usdt] as const;
  const stableSwap = await addStableSwapPool(evm, { coins, amount: 3n * million });
  const vault = await addVault(evm, {
    address: vaultAddress,
    name: 'Savings Dai',
    symbol: 'sDAI',
    decimals: 18,
    asset: dai,
    deposit: 100_000n,
  });
  return {
    algebra,
    solidly,
    stableSwap: {
      address: stableSwap,
      coins: coins.map(({ address, name, symbol, decimals }) => ({
        address,
        name,
        symbol,
        decimals,
      })),
    },
    vault: { token: vault, asset: dai.address },
  };
}

export type Algebra = {
  readonly factory: Address;
  readonly poolDeployer: Address;
  readonly initCodeHash: Hex;
  /** Gives pools liquidity out of what it holds. */
  readonly provider: Address;
};

const abi = parseAbi([
  'function setFactory(address factory)',
  'function setBaseFeeConfiguration(uint16 alpha1, uint16 alpha2, uint32 beta1, uint32 beta2, uint16 gamma1, uint16 gamma2, uint32 volumeBeta, uint16 volumeGamma, uint16 baseFee)',
  'function createPool(address tokenA, address tokenB) returns (address pool)',
  'function poolByPair(address tokenA, address tokenB) view returns (address pool)',
  'function initialize(uint160 price)',
  'function provide(address pool, int24 bottomTick, int24 topTick, uint128 liquidity)',
]);

/**
 * The fee, in hundredths of a basis point, without the part that moves with the market: a quote then holds to
 * the unit in the next block too. It is also what a new pool begins with.
 */
const baseFee = 100;

/** Hash of the code of a pool of V1, as QuickSwap V3 has it too. */
const initCodeHash = '0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4';

/** Puts the real contracts of Algebra V1 on the chain, and a contract of ours that gives liquidity. */
export async function deployAlgebra(evm: Evm): Promise<Algebra> {
  const poolDeployer = await deployContract(evm, poolDeployerArtifact.bytecode as Hex);
  const factory = await deployContract(
    evm,
    `${factoryArtifact.bytecode}${pad(poolDeployer).slice(2)}${pad(liquidityProvider).slice(2)}` as Hex,
  );
  const provider = await deployContract(evm, compiledContracts.AlgebraProvider);
  const setFactory = encodeFunctionData({ abi, functionName: 'setFactory', args: [factory] });
  await send(evm, poolDeployer, setFactory);
  const fees = [0, 0, 0, 0, 1, 1, 0, 1, baseFee] as const;
  await send(
    evm,
    factory,
    encodeFunctionData({ abi, functionName: 'setBaseFeeConfiguration', args: fees }),
  );
  return { factory, poolDeployer, initCodeHash, provider };
}

/** Creates a pool at a price with its positions, whose ticks are multiples of 60, and gives its address. */
export async function addAlgebraPool(
  evm: Evm,
  { factory, provider }: Algebra,
  pool: Omit<ConcentratedPool, 'fee'>,
): Promise<Address> {
  const { token0, token1, sqrtPriceX96, positions } = pool;
  const args = [token0, token1] as const;
  await send(evm, factory, encodeFunctionData({ abi, functionName: 'createPool', args }));
  const data = encodeFunctionData({ abi, functionName: 'poolByPair', args });
  const found = await evm.request({ method: 'eth_call', params: [{ to: factory, data }] });
  // A call answers its result in hex; this one is a single address.
  const address: Address = `0x${(found as Hex).slice(-40)}`;
  const holders = [provider];
  const amount0 = positions.reduce((sum, position) => sum + position.amount0, 0n);
  const amount1 = positions.reduce((sum, position) => sum + position.amount1, 0n);
  await sendBatch(evm, [
    {
      to: address,
      data: encodeFunctionData({ abi, functionName: 'initialize', args: [sqrtPriceX96] }),
    },
    ...giftCalls({ token: token0, holders, amount: amount0 }),
    ...giftCalls({ token: token1, holders, amount: amount1 }),
    ...positions.map((position): Call => {
      const liquidity = liquidityOf(position, Number(sqrtPriceX96) / 2 ** 96);
      const args = [address, position.tickLower, position.tickUpper, liquidity] as const;
      return { to: provider, data: encodeFunctionData({ abi, functionName: 'provide', args }) };
    }),
  ]);
  return address;
}

/** The liquidity that takes no more than the amounts of a position around the price. */
function liquidityOf({ tickLower, tickUpper, amount0, amount1 }: Position, price: number): bigint {
  const [lower, upper] = [1.0001 ** (tickLower / 2), 1.0001 ** (tickUpper / 2)];
  const of0 = (Number(amount0) * price * upper) / (upper - price);
  const of1 = Number(amount1) / (price - lower);
  // A little less: the figures are rounded, and the pool asks for a unit more.
  return BigInt(Math.floor(Math.min(of0, of1) * (1 - 1e-9)));
}

function send(evm: Evm, to: Address, data: Hex) {
  return sendTransaction(evm, { from: liquidityProvider, to, data });
}
