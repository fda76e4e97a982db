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
    value: 1_000,
    unit: 'items',
    per: 'request',
    meaning: 'Calls in one batch; beyond it a JSON-RPC error.',
  },
} as const satisfies Limits;
