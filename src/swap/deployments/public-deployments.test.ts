import type { Chain } from 'viem';
import * as viemChains from 'viem/chains';
import { getAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { poolKindOf } from '../pools/pool-kinds.ts';
import type { ChainDeployment } from './deployment.ts';
import { publicDeployments } from './public-deployments.ts';

/** The first definition of an id counts: later ones are variants, or test chains that once shared the id. */
const viemById = Map.groupBy(
  Object.values(viemChains as unknown as Record<string, Chain>),
  ({ id }) => id,
);

describe('the registry of public chains', () => {
  test('names each chain and each chain id once', () => {
    expectUnique(publicDeployments.map(({ chainId }) => chainId));
    expectUnique(publicDeployments.map(({ name }) => name));
  });

  test('serves the 46 chains of the public service behind the interface [Q28]', () => {
    const served = publicDeployments.map(({ chainId }) => chainId);
    expect(served.toSorted((a, b) => a - b)).toEqual([
      1, 10, 25, 30, 56, 100, 108, 137, 143, 146, 169, 196, 199, 250, 288, 314, 324, 999, 1088,
      1101, 1116, 2222, 4326, 5000, 7000, 8453, 9745, 11235, 33139, 34443, 42161, 42170, 42220,
      43111, 43114, 56288, 59144, 80094, 81457, 129399, 167000, 534352, 747474, 810180, 1666600000,
      2046399126,
    ]);
  });

  test('knows nothing of the development chain', () => {
    expect(publicDeployments.map(({ chainId }) => chainId)).not.toContain(31337);
  });

  describe.each(publicDeployments)('$name', (chain) => {
    test('writes every address with its checksum', () => {
      for (const address of addressesOf(chain)) expect(address).toBe(getAddress(address));
    });

    test('lets routes pass through the wrapped native token, and each base token once', () => {
      expectUnique([...chain.baseTokens, ...(chain.furtherTokens ?? [])]);
      if (chain.wrappedNative) expect(chain.baseTokens).toContain(chain.wrappedNative);
      if (chain.nativeIsToken) expect(chain.wrappedNative).toBeDefined();
    });

    test('has exchanges under unique names, each within reach of a router or of the executor alone', () => {
      const names = chain.exchanges.map(({ name }) => name);
      expectUnique(names);
      expect(names.length).toBeGreaterThan(0);
      const forOthers = chain.exchanges.filter((exchange) => poolKindOf(exchange).uniswapLeg);
      for (const exchange of chain.exchanges) expect(poolKindOf(exchange).encodeHop).toBeDefined();
      expect(new Set(chain.routers.flatMap(({ exchanges }) => exchanges))).toEqual(
        new Set(forOthers.map(({ name }) => name)),
      );
      for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    });

    test('says of each PancakeSwap V3 that its pools call a farm, so that they pay nobody directly [F29]', () => {
      for (const exchange of chain.exchanges) {
        if (exchange.kind !== 'concentrated') continue;
        expect(exchange.callsFarm === true).toBe(exchange.name === 'pancakeswap-v3');
      }
    });

    test('sends only constant-product exchanges to a V2 router', () => {
      const kinds = new Map(chain.exchanges.map(({ name, kind }) => [name, kind]));
      expectUnique(chain.routers.map(({ address }) => address));
      for (const router of chain.routers.filter(({ kind }) => kind === 'v2-router')) {
        for (const name of router.exchanges) expect(kinds.get(name)).toBe('constant-product');
      }
    });

    test('has init code hashes of 32 bytes and sensible fees', () => {
      for (const exchange of chain.exchanges) {
        if ('initCodeHash' in exchange) {
          expect(exchange.initCodeHash).toMatch(/^0x[0-9a-f]{64}$/);
        }
        if (exchange.kind === 'constant-product') {
          expect(exchange.feeNumerator / exchange.feeDenominator).toBeGreaterThan(0.99);
          expect(exchange.feeNumerator).toBeLessThan(exchange.feeDenominator);
        } else if (exchange.kind === 'concentrated') {
          expectUnique(exchange.feeTiers.map(({ fee }) => fee));
          for (const tier of exchange.feeTiers) expect(tier.fee).toBeLessThan(100_000);
        }
      }
    });

    test('names open HTTPS endpoints without credentials, and a source for each fact [Q9]', () => {
      expect(chain.rpcUrls.length).toBeGreaterThan(0);
      for (const text of chain.rpcUrls) {
        const url = new URL(text);
        expect([url.protocol, url.username, url.search]).toEqual(['https:', '', '']);
        expect(text).not.toMatch(/[${}]/);
      }
      for (const { source } of [chain, ...chain.exchanges, ...chain.routers]) {
        expect(source).not.toBe('');
      }
    });
  });

  test.each(publicDeployments.filter(({ chainId }) => viemById.has(chainId)))(
    'says of $name what viem says',
    (chain) => {
      const viem = viemById.get(chain.chainId)![0]!;
      expect(chain.name).toBe(viem.name);
      expect(chain.nativeCurrency).toEqual(viem.nativeCurrency);
      expect(viem.rpcUrls.default.http).toEqual(expect.arrayContaining([...chain.rpcUrls]));
      if (viem.contracts?.gasPriceOracle) expect(chain.l1Fee).toBe('op-stack');
    },
  );
});

function addressesOf(chain: ChainDeployment): string[] {
  return [
    chain.wrappedNative,
    ...chain.baseTokens,
    ...(chain.furtherTokens ?? []),
    ...chain.exchanges.flatMap((exchange) => [
      exchange.factory,
      'poolDeployer' in exchange ? exchange.poolDeployer : undefined,
      ...('pools' in exchange
        ? exchange.pools.flatMap(({ address, coins }) => [
            address,
            ...coins.map((coin) => coin.address),
          ])
        : []),
    ]),
    ...chain.routers.map(({ address }) => address),
  ].filter((address) => address !== undefined);
}

function expectUnique(values: readonly unknown[]): void {
  expect(new Set(values).size).toBe(values.length);
}
