import { expect, it, test } from 'vitest';
import { pair, token } from '../../../tests/support/routing-pools.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import { apeChain } from '../deployments/chains/apechain.ts';
import { ethereum } from '../deployments/chains/ethereum.ts';
import { polygon } from '../deployments/chains/polygon.ts';
import type { PoolState } from '../pools/pool.ts';
import { explainNoRoute, type FurtherReading, findSwap, unreadShare } from './find-swap.ts';
import { createRoutingMemory } from './market/create-routing-memory.ts';
import type { Market } from './market/market.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { RoutedChoice } from './search/choose-route.ts';
import { createRouteChooser } from './search/create-route-chooser.ts';

test.each([{}, { amountOut: 1n }])(
  'a chain whose exchanges only the executor reaches says how to deploy it, asked for %o [Q23, Q28]',
  (asked) => {
    expect(explainNoRoute(apeChain, asked)).toContain('"tradewind router deploy --chain 33139"');
    expect(explainNoRoute(polygon, asked)).toMatch(/^(No pool|The pools)/);
  },
);

it('looks at further tokens where unread pools could add much, and only there [Q50]', async () => {
  const deep = [10n ** 26n, 10n ** 26n] as const;
  const near = [pair([1, 2], [10n ** 22n, 10n ** 22n])];
  const wide = [...near, pair([1, 3], deep, { id: 1 }), pair([2, 3], deep, { id: 2 })];
  const memory = createRoutingMemory();
  const marketOf = (states: readonly PoolState[]) =>
    ({
      block: { number: 1n, gasPrice: 0n },
      pools: states.map((state) => ({ pool: { id: state.id, exchange: 'uniswap-v2' }, state })),
      memory,
    }) as unknown as Market;
  const chain = {
    deployment: { ...ethereum, furtherTokens: [token(3)] },
    chooseRoute: createRouteChooser(),
  } as unknown as QuoteChain;
  const find = async (amountIn: bigint) => {
    const readings: (FurtherReading['looksFurther'] | 'near')[] = [];
    const found = await findSwap(
      { chainId: 1, tokenIn: token(1), tokenOut: token(2), amountIn },
      {
        chain,
        clock: systemClock,
        signal: new AbortController().signal,
        async read(_sides, further) {
          readings.push(further === undefined ? 'near' : further.looksFurther);
          return marketOf(further?.looksFurther ? wide : near);
        },
      },
    );
    const paths = found.kind === 'route' ? found.choice.route.paths : [];
    return { readings, hops: paths.map(({ hops }) => hops.length) };
  };
  expect(await find(10n ** 18n)).toEqual({ readings: ['near'], hops: [1] });
  expect(await find(10n ** 22n)).toEqual({ readings: ['near', true], hops: [1, 2] });
});

const choice = (amountOut: bigint, isPartial = false) =>
  ({ route: { amountIn: 1_000n, amountOut, isPartial }, midPrice: 2 }) as unknown as RoutedChoice;

it('is what a trade loses against the mid price, and all where no route takes the whole amount [Q50]', () => {
  expect(unreadShare(choice(1_900n))).toBeCloseTo(0.05, 12);
  expect(unreadShare(choice(2_000n))).toBe(0);
  expect(unreadShare(choice(2_001n))).toBe(0);
  expect(unreadShare(choice(1_900n, true))).toBe(1);
  expect(unreadShare(undefined)).toBe(1);
});
