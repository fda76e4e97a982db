import { expect, it } from 'vitest';
import { layOutFlow } from './flow-layout.ts';

const leg = (path: number, share: number, tokenIn = '0xa', tokenOut = '0xb') => ({
  path,
  share,
  tokenIn,
  tokenOut,
  pool: '0xpool',
  exchange: 'uniswap-v3',
  amountIn: '1',
  amountOut: '1',
});

it('makes bands as thick as their shares, the largest first, and none over another [K1]', () => {
  const route = [leg(0, 0.25, '0xa', '0xc'), leg(0, 0.25, '0xc', '0xb'), leg(1, 0.75)];
  const { lanes, bar, height } = layOutFlow(route, { left: 20, right: 520 });
  expect(lanes.map(({ share }) => share)).toEqual([0.75, 0.25]);
  expect(lanes.map(({ thickness }) => thickness)).toEqual([72, 24]);
  expect(bar.height).toBe(96);
  expect(lanes[1]?.stops).toEqual([{ x: 270, token: '0xc' }]);
  expect(lanes[1]?.hops.map(({ x }) => x)).toEqual([145, 395]);
  const [one, other] = lanes;
  expect(one!.laneY + one!.thickness / 2).toBeLessThan(other!.laneY - other!.thickness / 2);
  expect(other!.laneY + other!.thickness / 2).toBeLessThanOrEqual(height);
});

it('draws a tiny share at least 2 pixels thick', () => {
  const { lanes } = layOutFlow([leg(0, 0.9999), leg(1, 0.0001)], { left: 0, right: 100 });
  expect(lanes[1]?.thickness).toBe(2);
});
