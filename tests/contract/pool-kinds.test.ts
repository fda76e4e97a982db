import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ofEachKind } from '../../src/swap/pools/pool-kinds.ts';

const swap = new URL('../../src/swap/', import.meta.url);
const kinds = Object.keys(ofEachKind(() => undefined));

/** Kinds with ticks are in the folder of the first of them. */
const isOfKind = (path: string) =>
  kinds.some((kind) => path === `pools/${kind}.ts` || path.startsWith(`pools/${kind}/`));

/** Files of the swap domain that belong to no single kind of pool and are neither chain data nor tests. */
function sharedFiles(): string[] {
  return readdirSync(swap, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !/\.(test|fuzz|contract)\.ts$/.test(path) &&
      !isOfKind(path) &&
      !path.startsWith('deployments/') &&
      path !== 'pools/pool-kinds.ts',
  );
}

it('names no kind of pool outside of its files, the registry and the data of chains [Q27]', () => {
  const named = sharedFiles().flatMap((path) => {
    const text = readFileSync(new URL(path, swap), 'utf8');
    return kinds.filter((kind) => text.includes(`'${kind}'`)).map((kind) => `${path}: ${kind}`);
  });
  expect(named).toEqual([]);
});

it('imports from the files of a kind in the registry and in the other kinds alone [Q27]', () => {
  const importing = sharedFiles().filter((path) => {
    const file = new URL(path, swap);
    const imported = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
    return [...imported].some(([, from = '']) =>
      isOfKind(new URL(from, file).href.slice(swap.href.length)),
    );
  });
  expect(importing).toEqual([]);
});
