import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  compileContracts,
  compiledContractsUrl,
  contractFolders,
} from '../../scripts/compile-contracts.ts';

it.each(Object.entries(contractFolders))(
  'holds the code that the Solidity sources of %s compile to',
  (_name, folder) => {
    expect(readFileSync(compiledContractsUrl(folder), 'utf8')).toBe(compileContracts(folder));
  },
);
