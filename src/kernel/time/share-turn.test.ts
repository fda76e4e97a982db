import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { shareTurn } from './share-turn.ts';

it('runs each step of all callers of one turn back to back', async () => {
  const nextTurn = shareTurn(systemClock);
  const steps: string[] = [];
  const work = async (name: string) => {
    await nextTurn();
    steps.push(`${name} reads`);
    await Promise.resolve();
    steps.push(`${name} signs`);
  };
  await Promise.all([work('one'), work('two')]);
  expect(steps).toEqual(['one reads', 'two reads', 'one signs', 'two signs']);
});

it('takes one turn for all callers, and another for those who come later', async () => {
  let turns = 0;
  const nextTurn = shareTurn({
    ...systemClock,
    turn() {
      turns += 1;
      return systemClock.turn();
    },
  });
  await Promise.all([nextTurn(), nextTurn(), nextTurn()]);
  expect(turns).toBe(1);
  await nextTurn();
  expect(turns).toBe(2);
});
