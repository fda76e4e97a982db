import { expect, test } from 'vitest';
import { callsPerOrigin, createOriginGates, type Pass } from './origin-gates.ts';

const settled = async (entering: unknown) =>
  !(entering instanceof Promise) ||
  Promise.race([entering.then(() => true), Promise.resolve().then(() => false)]);

async function fill(gates: ReturnType<typeof createOriginGates>, origin: string): Promise<Pass[]> {
  const passes = [];
  for (let n = 0; n < callsPerOrigin; n++) passes.push((await gates.enter(origin))!);
  return passes;
}

test('calls to one origin wait for each other, and not for those to other origins [E14.31]', async () => {
  const gates = createOriginGates();
  const [first] = await fill(gates, 'a');
  const waiting = gates.enter('a');
  expect(await settled(waiting)).toBe(false);
  expect(await gates.enter('b')).toBeDefined();
  first?.leave(true);
  expect(await waiting).toBeDefined();
});

test('an origin that does not answer gets fewer calls, down to one probe, until one succeeds [E12.4]', async () => {
  const gates = createOriginGates();
  for (const pass of await fill(gates, 'dead')) pass.leave(false);
  const probe = await gates.enter('dead');
  const waiting = Array.from({ length: 4 }, () => gates.enter('dead'));
  expect(await settled(Promise.race(waiting))).toBe(false);
  expect(await gates.enter('dead')).toBeUndefined();
  probe?.leave(true);
  expect(await Promise.all(waiting.slice(0, 2))).not.toContain(undefined);
});
