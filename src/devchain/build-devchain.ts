import { type Address, type Hex, zeroAddress } from 'viem';
import { type Evm, openEvm } from './evm/open-evm.ts';
import { testAccounts } from './evm/test-accounts.ts';
import { deployByCreate2 } from './evm/transactions.ts';
import { addOtherExchanges, type OtherExchanges } from './exchanges/add-other-exchanges.ts';
import { deployMoreExchanges, deployPermit2 } from './exchanges/deploy-more-exchanges.ts';
import { deployUniswap } from './exchanges/deploy-uniswap.ts';
import { uniswapDeployment } from './known-exchanges.ts';
import { addConcentratedPool } from './pools/add-concentrated-pool.ts';
import { addConstantProductPool } from './pools/add-constant-product-pool.ts';
import { addManagedPool, addPancakePool } from './pools/add-provided-pool.ts';
import { type DevchainPool, devchainPools } from './pools/devchain-pools.ts';
import {
  type PricedToken,
  planConcentratedPool,
  planConstantProductPool,
} from './pools/plan-pool.ts';
import {
  createToken,
  type DevchainSymbol,
  type DevchainToken,
  devchainTokens,
  giveTokens,
  type Token,
} from './tokens.ts';

export type BuiltDevchain = {
  readonly evm: Evm;
  readonly tokens: readonly Token[];
  /** Those of the tokens that routes may pass through. */
  readonly baseTokens: readonly Address[];
  readonly pools: readonly BuiltPool[];
  /** Set if they were asked for. */
  readonly others?: OtherExchanges;
};

export type BuiltPool = {
  readonly address: Address;
  readonly kind: 'constant-product' | 'concentrated' | 'uniswap-v4';
  /** In hundredths of a basis point; every V2 pool takes 3000. */
  readonly fee: number;
  readonly tokens: readonly [Address, Address];
};

/**
 * Builds the whole development chain: the exchanges, what else is to be deployed by CREATE2, the tokens, their pools, and the
 * test accounts with some of each token. Calls `onStep` as each part is done. Rejects with the signal's reason when that fires in
 * between.
 */
export async function buildDevchain({
  chainId,
  deployments = [],
  withOthers = false,
  onStep = () => {},
  signal,
}: {
  chainId: number;
  deployments?: readonly Hex[];
  /** Whether to add Algebra, Solidly, Curve and a vault too. */
  withOthers?: boolean;
  onStep?: (step: 'chain' | 'contracts' | 'tokens' | 'pools') => void;
  signal?: AbortSignal | undefined;
}): Promise<BuiltDevchain> {
  const evm = await openEvm({ chainId });
  onStep('chain');
  signal?.throwIfAborted();

  await deployUniswap(evm);
  await deployMoreExchanges(evm);
  await deployPermit2(evm);
  for (const data of deployments) await deployByCreate2(evm, data);
  onStep('contracts');

  const tokens: Token[] = [];
  const baseTokens: Address[] = [];
  const priced = new Map<DevchainSymbol, Token & PricedToken>();
  for (const token of devchainTokens) {
    signal?.throwIfAborted();
    const created = await addToken(evm, token);
    tokens.push(created);
    if ('isBase' in token) baseTokens.push(created.address);
    priced.set(token.symbol, { ...created, dollars: token.dollars });
  }
  onStep('tokens');

  const pools: BuiltPool[] = [];
  for (const pool of devchainPools) {
    signal?.throwIfAborted();
    pools.push(await addPool(evm, { pool, tokens: priced }));
  }
  if (!withOthers) {
    onStep('pools');
    return { evm, tokens, baseTokens, pools };
  }
  signal?.throwIfAborted();
  const others = await addOtherExchanges(evm, priced);
  onStep('pools');
  return { evm, tokens: [...tokens, others.vault.token], baseTokens, pools, others };
}

async function addToken(evm: Evm, token: DevchainToken): Promise<Token> {
  const { name, symbol, decimals, grant } = token;
  const { wrappedNative } = uniswapDeployment;
  const isWrapped = token.address === wrappedNative;
  const created = isWrapped
    ? { address: wrappedNative, name, symbol, decimals }
    : await createToken(evm, token);
  await giveTokens(evm, {
    token: created.address,
    holders: testAccounts.map(({ address }) => address),
    amount: grant * 10n ** BigInt(decimals),
  });
  return created;
}

async function addPool(
  evm: Evm,
  { pool, tokens }: { pool: DevchainPool; tokens: ReadonlyMap<DevchainSymbol, PricedToken> },
): Promise<BuiltPool> {
  const [first, second] = pool.tokens.map((symbol) => tokens.get(symbol));
  if (!first || !second) throw new Error(`A token of the pool ${pool.tokens} does not exist.`);
  const pair = [first, second] as const;
  const { fee } = pool;
  if (fee === undefined) {
    const plan = planConstantProductPool(pool, pair);
    const address = await addConstantProductPool(evm, plan);
    return { address, kind: 'constant-product', fee: 3000, tokens: plan.tokens };
  }
  const plan = planConcentratedPool({ ...pool, fee }, pool.isNative ? inNative(pair) : pair);
  const common = { fee, tokens: [plan.token0, plan.token1] } as const;
  if (pool.exchange === 'uniswap-v4') {
    return { ...common, address: await addManagedPool(evm, plan), kind: 'uniswap-v4' };
  }
  const add = pool.exchange === 'pancakeswap-v3' ? addPancakePool : addConcentratedPool;
  return { ...common, address: await add(evm, plan), kind: 'concentrated' };
}

/** The pair with the native currency in the place of its wrapped token. */
function inNative(pair: readonly [PricedToken, PricedToken]): readonly [PricedToken, PricedToken] {
  const [first, second] = pair.map((token) =>
    token.address === uniswapDeployment.wrappedNative ? { ...token, address: zeroAddress } : token,
  );
  return [first ?? pair[0], second ?? pair[1]];
}
