import { encodeFunctionResult, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../model.ts';
import { readTrial } from './swap-trial.ts';

const abi = parseAbi([
  'function run() returns (bool succeeded, uint256 received, uint256 gasNeeded, uint256 gasOfNextBlock, bytes returned)',
]);
const answer = (succeeded: boolean) => ({
  status: 'returned' as const,
  data: encodeFunctionResult({
    abi,
    functionName: 'run',
    result: [succeeded, 7n, 100_000n, 2_900n, '0x'],
  }),
});
const layout = { kind: 'solidity', slot: 3n } as const;
const token = (balances: typeof layout | undefined) => ({
  tokenIn: {
    address: parseAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
    storage: { balances, allowances: layout },
  },
});

describe('readTrial', () => {
  it('gives what arrived and the gas of the call in the next block', () => {
    expect(readTrial(answer(true), token(layout))).toEqual({
      outcome: 'succeeded',
      received: 7n,
      callGas: 102_900n,
    });
  });

  it('takes a revert as the verdict only if the sender had the balance and allowance [Q7]', () => {
    expect(readTrial(answer(false), token(layout)).outcome).toBe('reverted');
    expect(readTrial(answer(false), { tokenIn: undefined }).outcome).toBe('reverted');
    expect(readTrial(answer(false), token(undefined)).outcome).toBe('untried');
  });

  it.each([
    undefined,
    { status: 'unsupported' } as const,
    { status: 'returned', data: '0x' } as const,
    { status: 'failed', data: '0x', reason: 'out of gas' } as const,
  ])('draws no conclusion from %j [Q17]', (outcome) => {
    expect(readTrial(outcome, token(layout)).outcome).toBe('untried');
  });
});
