import { describe } from 'vitest';
import { databaseContract } from '../../src/kernel/database/database.contract.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('$engine [H21]', ({ createStore }) => {
  databaseContract(createStore);
});
