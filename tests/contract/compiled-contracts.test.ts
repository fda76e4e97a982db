import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileContracts, compiledContractsUrl } from '../../scripts/compile-contracts.ts';

it('holds the code that the Solidity sources of the development chain compile to', () => {
  expect(readFileSync(compiledContractsUrl, 'utf8')).toBe(compileContracts());
});
