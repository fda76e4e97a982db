import { expect, test } from 'vitest';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import { createMetrics } from '../kernel/telemetry/metrics.ts';
import { swapLimits } from './limits.ts';
import { createSwapUseCases } from './swap-use-cases.ts';

test('many concurrent requests are started over several turns of the event loop [Q31]', async () => {
  const clock = createFakeClock();
  let turn = 0;
  const begun: number[] = [];
  const chain = {
    isWarm: () => true,
    async open() {
      begun.push(turn);
      clock.advance(3);
      throw new Error('no chain');
    },
  };
  const { price } = createSwapUseCases({
    chains: new Map([[1, chain]]) as never, // all that a price looks at before its chain is open
    namedTokens: new Map(),
    directory: undefined as never,
    history: undefined as never,
    coldLimiters: undefined as never,
    clock,
    metrics: createMetrics(),
  });
  const { signal } = new AbortController();
  const ask = (_: unknown, caller: number) =>
    price({ chainId: 1 } as never, { signal, caller: { key: `${caller}`, hasToken: false } });
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.allSettled(Array.from({ length: 10 }, ask));
  isOver = true;
  const together = [...Map.groupBy(begun, (at) => at).values()].map(({ length }) => length);
  expect(begun).toHaveLength(10);
  expect(Math.max(...together)).toBe(2);
});

test('quotes wait in a share of each caller, beyond which that caller is refused and others are not', async () => {
  const hang = Promise.withResolvers<never>();
  const chain = { isWarm: () => true, open: () => hang.promise };
  const { price } = createSwapUseCases({
    chains: new Map([[1, chain]]) as never, // all that a price looks at before its chain is open
    namedTokens: new Map(),
    directory: undefined as never,
    history: undefined as never,
    coldLimiters: undefined as never,
    clock: createFakeClock(),
    metrics: createMetrics(),
  });
  const { signal } = new AbortController();
  const refused: Record<string, number> = { greedy: 0, other: 0 };
  const ask = (key: string, times: number) =>
    Array.from({ length: times }, () =>
      price({ chainId: 1 } as never, { signal, caller: { key, hasToken: false } }).catch(
        ({ code }) => {
          if (code === 'RATE_LIMITED') refused[key]! += 1;
        },
      ),
    );
  const { quotesAtOnce, quotesWaitingEach } = swapLimits;
  const asked = [
    ...ask('greedy', quotesAtOnce.value + quotesWaitingEach.value + 7),
    ...ask('other', quotesWaitingEach.value),
  ];
  await new Promise(setImmediate);
  expect(refused).toEqual({ greedy: 7, other: 0 });
  hang.reject(new Error('no chain'));
  await Promise.all(asked);
});
