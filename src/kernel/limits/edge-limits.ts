import type { Limits } from './limit.ts';

/** What every request meets before any service. */
export const edgeLimits = {
  headers: {
    value: 16 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'Address and headers together; beyond it 431.',
  },
  body: {
    value: 64 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The body, where the path has no limit of its own; beyond it 413.',
  },
  headersTime: {
    value: 10_000,
    unit: 'milliseconds',
    per: 'request',
    meaning:
      'From the connection, or the request before, to the end of the headers; beyond it 408.',
  },
  bodyTime: {
    value: 30_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'From the headers to the end of the body; beyond it 408.',
  },
  callersCounted: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Callers whose rate is kept in memory; those who came first are counted in the store again.',
  },
  pathsKept: {
    value: 1_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Paths whose owner is kept in memory; the one unused for longest gives way.',
  },
} as const satisfies Limits;
