import { expect } from 'vitest';
import { boundOutput, findRoute } from '../../src/swap/routing/find-route.ts';
import { prepareGraph } from '../../src/swap/routing/graph/routing-graph.ts';
import { midPriceBetween } from '../../src/swap/routing/mid-price-between.ts';
import { bestFlow } from '../support/best-flow.ts';
import { createDice } from '../support/dice.ts';
import { recordedGraphs } from '../support/recorded-graphs.ts';
import { cutAround } from '../support/routing-pools.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { testsWith } from '../support/tests-with.ts';

testsWith('recordings').describe('bounds over recorded pools', () => {
  const { pick, magnitude } = createDice(createSeededFractions(48));
  const rounds = Number(process.env.TEST_RUNS ?? 3);

  testsWith('recordings').it(
    'are exceeded by no flow, and by none over what was not read unless they say so [Q48]',
    () => {
      let compared = 0;
      for (const { pools, tokens, dollar } of recordedGraphs()) {
        const graph = prepareGraph(pools);
        const inPart = prepareGraph(
          pools.map((pool) => (pool.kind === 'concentrated' ? cutAround(pool, 2_000) : pool)),
        );
        for (let round = 0; round < rounds; round++) {
          const [tokenIn, tokenOut] = [pick(tokens).address, pick(tokens).address];
          const perUnit = midPriceBetween(graph, { tokenIn, tokenOut: dollar });
          if (tokenIn === tokenOut || perUnit === undefined) continue;
          const amountIn = BigInt(Math.floor((magnitude(1e3, 1e7) * 1e6) / perUnit));
          const asked = { tokenIn, tokenOut, amountIn };
          const flow = bestFlow(pools, asked);
          compared += flow > 0n ? 1 : 0;
          const route = findRoute(graph, asked);
          if (route.kind === 'route') {
            expect(route.optimality.upperBound).toBeGreaterThanOrEqual(flow);
          }
          const { output, openEnds } = boundOutput(inPart, asked);
          if (openEnds.length === 0) expect(output).toBeGreaterThanOrEqual(Number(flow));
        }
      }
      expect(compared).toBeGreaterThan(0);
    },
  );
});
