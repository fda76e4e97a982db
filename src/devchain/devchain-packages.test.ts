import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { devchainPackages } from './devchain-packages.ts';

it('names the versions that this repository is developed with', () => {
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  for (const name of devchainPackages) {
    const at = name.lastIndexOf('@');
    expect(devDependencies[name.slice(0, at)]).toBe(name.slice(at + 1));
  }
});
