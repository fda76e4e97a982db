import { expect, it } from 'vitest';
import { executorBuilds, formerExecutors } from './executor-builds.ts';

it('keeps the addresses of earlier builds: whoever changes the contract moves these two to them [Q23] [F25]', () => {
  expect(executorBuilds.map(({ address }) => address)).toMatchInlineSnapshot(`
    [
      "0x82a6d9079cae14d9C5dd323c27843f90fe6F5b68",
      "0x31116229C2809B792c987F895c380EfE51eEE4D5",
    ]
  `);
  const all = [...executorBuilds, ...formerExecutors].map(({ address }) => address);
  expect(new Set(all).size).toBe(all.length);
});
