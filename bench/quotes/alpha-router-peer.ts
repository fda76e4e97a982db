import { createRequire } from 'node:module';
import mixedRouteQuoter from '@uniswap/swap-router-contracts/artifacts/contracts/lens/MixedRouteQuoterV1.sol/MixedRouteQuoterV1.json' with {
  type: 'json',
};
import multicall from '@uniswap/v3-periphery/artifacts/contracts/lens/UniswapInterfaceMulticall.sol/UniswapInterfaceMulticall.json' with {
  type: 'json',
};
import { encodeAbiParameters, keccak256, pad, parseAbiParameters, zeroAddress } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { uniswapDeployment as at } from '../../src/devchain/known-exchanges.ts';
import {
  concentratedPoolAddress,
  constantProductPoolAddress,
} from '../../src/devchain/pools/add-constant-product-pool.ts';
import { openRpcServer } from '../../tests/support/rpc-server.ts';
import { mainnetTokens } from '../routing/mainnet-like-pools.ts';
import { type Token, units } from '../routing/pool-set.ts';
import type { Trade } from './measure-server.ts';
import type { SeededChain } from './open-seeded-chain.ts';
import { placeV4Lenses } from './place-uniswap-v4.ts';

/** The part of `@uniswap/smart-order-router` and of its dependencies that is used here. */
type Sdk = {
  Token: new (chainId: number, address: string, decimals: number, symbol: string) => SdkToken;
  CurrencyAmount: { fromRawAmount(token: SdkToken, amount: string): object };
};
type SdkToken = { readonly address: string };
type Router = {
  AlphaRouter: new (
    parts: object,
  ) => {
    route(...question: unknown[]): Promise<{ quote: { quotient: object } } | null>;
  };
};
type Ethers = {
  providers: { JsonRpcProvider: new (url: string, chainId: number) => object };
  BigNumber: { from(text: string): object };
};

// Mainnet addresses that the router calls, from its own list of them.
const lenses = {
  multicall: '0x1F98415757620B543A52E61c46B32eB19261F984',
  mixedRouteQuoter: '0x84E44095eeBfEC7793Cd7d5b57B7e401D7f1cA2E',
  viewQuoter: '0x5e55C9e631FAE526cd4B0526C4818D6e0a9eF0e3',
};

const poolKey = parseAbiParameters('address, address, uint24, int24, address');

/** A billion: the router's batches of quotes do not fit into the fifty million that a node allows by default. */
const callGas = '0x3b9aca00';

/**
 * Uniswap's AlphaRouter, unmodified, over the same chain with V2, V3 and mixed routes, and with V4 if the chain has it.
 * The benchmark provides the data that it reads from off-chain services: the list of pools, the tokens, a gas price of one wei.
 */
export async function createAlphaRouterPeer(chain: SeededChain) {
  const { v2, v3, v4 } = poolLists(chain);
  const hasV4 = v4.length > 0;
  // No package has its quoter for paths that mix V4 with other pools. So each trade is asked once without V4 and once
  // without mixed paths.
  const ways = [['V2', 'V3', 'MIXED'], ...(hasV4 ? [['V2', 'V3', 'V4']] : [])];
  await placeLenses(chain.evm);
  if (hasV4) await placeV4Lenses(chain.evm);
  await chain.evm.request({ method: 'evm_setBlockGasLimit', params: [callGas] });
  const server = await openRpcServer({ handle: (body) => chain.evm.handle(withGas(body)) });
  // The packages are CommonJS with types for an older TypeScript; the types above cover what is used.
  const load = createRequire(import.meta.url);
  const { AlphaRouter }: Router = load('@uniswap/smart-order-router');
  const sdk: Sdk = load('@uniswap/sdk-core');
  const { providers, BigNumber }: Ethers = load('ethers');
  const tokens = new Map(
    Object.values(mainnetTokens).map(({ address, decimals, symbol }) => [
      address.toLowerCase(),
      new sdk.Token(1, address, decimals, symbol),
    ]),
  );
  const tokenOf = ({ address }: { address: string }) => {
    const token = tokens.get(address.toLowerCase());
    if (token === undefined) throw new Error(`No token at ${address}`);
    return token;
  };
  const router = new AlphaRouter({
    chainId: 1,
    provider: new providers.JsonRpcProvider(server.url, 1),
    v2SubgraphProvider: { getPools: async () => v2 },
    v3SubgraphProvider: { getPools: async () => v3 },
    v4SubgraphProvider: { getPools: async () => v4 },
    v4Supported: hasV4 ? [1] : [],
    mixedSupported: [1],
    gasPriceProvider: { getGasPrice: async () => ({ gasPriceWei: BigNumber.from('1') }) },
    tokenProvider: {
      getTokens: async () => ({
        getTokenByAddress: (address: string) => tokens.get(address.toLowerCase()),
        getTokenBySymbol: (symbol: keyof typeof mainnetTokens) => tokenOf(mainnetTokens[symbol]),
        getAllTokens: () => [...tokens.values()],
      }),
    },
    tokenPropertiesProvider: { getTokensProperties: async () => ({}) },
  });

  async function ask(trade: Trade): Promise<bigint> {
    let best = 0n;
    for (const protocols of ways) {
      const output = await askOneWay(trade, protocols);
      if (output > best) best = output;
    }
    return best;
  }

  async function askOneWay(
    [sold, bought, amount]: Trade,
    protocols: readonly string[],
  ): Promise<bigint> {
    const amountIn = String(units(mainnetTokens[sold], amount));
    const found = await router.route(
      sdk.CurrencyAmount.fromRawAmount(tokenOf(mainnetTokens[sold]), amountIn),
      tokenOf(mainnetTokens[bought]),
      0, // TradeType.EXACT_INPUT
      // No swap options, so no transaction: not all of Uniswap's swap routers know V4.
      undefined,
      { protocols, maxSwapsPerPath: 3, distributionPercent: 5 },
    );
    if (found === null) throw new Error(`AlphaRouter finds no route for ${sold} in ${bought}`);
    return BigInt(String(found.quote.quotient));
  }

  return { ask, server, close: () => server.close() };
}

/** Gives a call as much gas as the RPC providers that the router is made for. */
function withGas(body: string): string {
  const call = JSON.parse(body);
  if (call.method === 'eth_call') call.params[0].gas ??= callGas;
  return JSON.stringify(call);
}

async function placeLenses(evm: Evm): Promise<void> {
  const place = async (address: string, creationCode: string) => {
    const code = await evm.request({
      method: 'eth_call',
      params: [{ data: creationCode }, 'latest'],
    });
    await evm.request({ method: 'hardhat_setCode', params: [address, code] });
  };
  const quoterArguments = [at.concentratedFactory, at.constantProductFactory, at.wrappedNative]
    .map((argument) => pad(argument).slice(2))
    .join('');
  await place(lenses.multicall, multicall.bytecode);
  await place(lenses.mixedRouteQuoter, mixedRouteQuoter.bytecode + quoterArguments);
  // QuoterV2 has the interface of the view quoter and gives the same answers.
  const quoter = await evm.request({ method: 'eth_getCode', params: [at.quoterV2, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [lenses.viewQuoter, quoter] });
}

/** The pools as the subgraphs of Uniswap would list them. */
function poolLists({ set: { pools, ranges, tokens }, isManaged }: SeededChain) {
  const tokenAt = new Map(tokens.map((token) => [token.address, token]));
  const dollars = (token: Token | undefined, amount: bigint) =>
    token ? (Number(amount) / 10 ** token.decimals) * token.usd : 0;
  const listed = pools.map((pool) => {
    const { token0, token1 } = pool;
    const [amount0, amount1] =
      pool.kind === 'constant-product'
        ? [pool.reserve0, pool.reserve1]
        : (ranges.get(pool.address)?.balances ?? [0n, 0n]);
    const worth = dollars(tokenAt.get(token0), amount0) + dollars(tokenAt.get(token1), amount1);
    const inEther = worth / mainnetTokens.WETH.usd;
    const ends = { token0: { id: token0.toLowerCase() }, token1: { id: token1.toLowerCase() } };
    return { pool, worth, inEther, ends };
  });
  return {
    v2: listed.flatMap(({ pool, worth, inEther, ends }) => {
      if (pool.kind !== 'constant-product') return [];
      const id = constantProductPoolAddress(pool.token0, pool.token1).toLowerCase();
      return { id, ...ends, supply: inEther, reserve: inEther / 2, reserveUSD: worth };
    }),
    v3: listed.flatMap(({ pool, worth, inEther, ends }) => {
      if (pool.kind !== 'concentrated' || isManaged(pool)) return [];
      const id = concentratedPoolAddress(pool).toLowerCase();
      const [feeTier, liquidity] = [String(pool.fee), String(pool.liquidity)];
      return { id, ...ends, feeTier, liquidity, tvlETH: inEther, tvlUSD: worth };
    }),
    v4: listed.flatMap(({ pool, worth, inEther, ends }) => {
      if (pool.kind !== 'concentrated' || !isManaged(pool)) return [];
      const { token0, token1, fee, tickSpacing } = pool;
      const key = [token0, token1, fee, tickSpacing, zeroAddress] as const;
      const id = keccak256(encodeAbiParameters(poolKey, key));
      const [feeTier, liquidity] = [String(fee), String(pool.liquidity)];
      const hooks = zeroAddress;
      const listing = { id, ...ends, feeTier, tickSpacing: String(tickSpacing), hooks, liquidity };
      return { ...listing, tvlETH: inEther, tvlUSD: worth };
    }),
  };
}
