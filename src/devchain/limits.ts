import type { Limits } from '../kernel/edge/limits.ts';

/** The limits for callers of the development chain. */
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
  answer: {
    value: 4 * 2 ** 20,
    unit: 'characters',
    per: 'request',
    meaning:
      'The answer to one call, counted in the process of the chain; beyond it a JSON-RPC error.',
  },
  batchAnswer: {
    value: 8 * 2 ** 20,
    unit: 'characters',
    per: 'request',
    meaning:
      'The answers to one batch together; beyond it the rest of its calls are not made, and answered by a JSON-RPC error.',
  },
  answersHeldEach: {
    value: 32 * 2 ** 20,
    unit: 'characters',
    per: 'caller',
    meaning:
      'Answers that are being collected or have not been taken by the caller; beyond it a JSON-RPC error.',
  },
  answersHeld: {
    value: 64 * 2 ** 20,
    unit: 'characters',
    per: 'process',
    meaning: 'The same of all callers together.',
  },
  gas: {
    value: 2 ** 24,
    unit: 'gas',
    per: 'request',
    meaning:
      'Gas of one transaction (EIP-7825) or call, and the default of a call; beyond it a JSON-RPC error.',
  },
  blockGas: {
    value: 60_000_000,
    unit: 'gas',
    per: 'chain',
    meaning: 'The highest value that `evm_setBlockGasLimit` accepts; beyond it a JSON-RPC error.',
  },
  miningInterval: {
    value: 100,
    unit: 'milliseconds',
    per: 'chain',
    meaning:
      'The shortest interval that `evm_setIntervalMining` accepts, since blocks stay in memory.',
  },
  callsAtOnce: {
    value: 1,
    unit: 'at once',
    per: 'process',
    meaning:
      'Calls that run; others wait, callers take turns, and those of a caller that disconnects are dropped.',
  },
  callTime: {
    value: 10_000,
    unit: 'milliseconds',
    per: 'request',
    meaning:
      'How long a call may run; beyond it the call fails, the process of the chain is ended and the chain is rebuilt at once for those that wait.',
  },
  callMemory: {
    value: 512 * 2 ** 20,
    unit: 'bytes',
    per: 'request',
    meaning:
      'Memory that running calls may take beyond that of the chain itself; beyond it the same.',
  },
  chainMemory: {
    value: 2 * 2 ** 30,
    unit: 'bytes',
    per: 'chain',
    meaning: 'Memory of the chain’s process; beyond it the chain starts from its initial state.',
  },
  callsRemembered: {
    value: 2_000,
    unit: 'stored',
    per: 'chain',
    meaning:
      'Changes that are repeated when the chain is rebuilt; beyond it the rebuilt chain starts from its initial state.',
  },
  callsRememberedText: {
    value: 16 * 2 ** 20,
    unit: 'characters',
    per: 'chain',
    meaning: 'The same, as the length of their text.',
  },
  callsWaiting: {
    value: 1_024,
    unit: 'items',
    per: 'process',
    meaning: 'Calls that wait to run; beyond it 503, or a JSON-RPC error within a batch.',
  },
  callsWaitingEach: {
    value: 256,
    unit: 'items',
    per: 'caller',
    meaning:
      'The same of one caller; beyond it 429. The quotes of this server are a caller of their own.',
  },
} as const satisfies Limits;
