import { expect, test } from 'vitest';
import { createKeyLanes } from './key-lanes.ts';

/** Work that ends when the test says so. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return { begun, start, end: (name: string) => ends.get(name)!() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('does the work of one key in order and that of others meanwhile', async () => {
  const lanes = createKeyLanes();
  const { begun, start, end } = createWork();
  lanes.add('a', start('a1'));
  lanes.add('a', start('a2'));
  lanes.add('b', start('b1'));
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('tells when few enough are left, whichever ended', async () => {
  const lanes = createKeyLanes();
  const { start, end } = createWork();
  for (const name of ['a', 'b', 'c']) lanes.add(name, start(name));
  let isThere = false;
  const there = lanes.fewerThan(2).then(() => {
    isThere = true;
  });
  await settled();
  end('c');
  await settled();
  expect(isThere).toBe(false);
  end('a');
  await there;
  end('b');
  await lanes.fewerThan(1);
});
