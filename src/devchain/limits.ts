import type { Limits } from '../kernel/limits/limit.ts';

/** What callers of the development chain meet. */
export const devchainLimits = {
  body: {
    value: 5 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The body of a JSON-RPC request; beyond it 413.',
  },
  batch: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning: 'Calls in one batch; beyond it a JSON-RPC error.',
  },
  gas: {
    value: 2 ** 24,
    unit: 'gas',
    per: 'request',
    meaning:
      'Gas of one transaction (EIP-7825) or call, which a call that names none gets; beyond it a JSON-RPC error.',
  },
  blockGas: {
    value: 60_000_000,
    unit: 'gas',
    per: 'chain',
    meaning: 'What `evm_setBlockGasLimit` takes; beyond it a JSON-RPC error.',
  },
  miningInterval: {
    value: 100,
    unit: 'milliseconds',
    per: 'chain',
    meaning: 'The shortest that `evm_setIntervalMining` takes, since blocks stay in memory.',
  },
  callsAtOnce: {
    value: 2,
    unit: 'at once',
    per: 'process',
    meaning: 'Calls that run; others wait, and those whose caller leaves are dropped.',
  },
  callsWaiting: {
    value: 1_024,
    unit: 'items',
    per: 'process',
    meaning: 'Calls that wait for it; beyond it a JSON-RPC error.',
  },
} as const satisfies Limits;
