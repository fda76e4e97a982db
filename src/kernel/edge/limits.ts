import { metricLimits } from '../telemetry/metrics.ts';
import { jsonLimits } from '../text/json.ts';

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
    meaning: 'The body, if the path has no limit of its own; beyond it 413.',
  },
  headersTime: {
    value: 10_000,
    unit: 'milliseconds',
    per: 'request',
    meaning:
      'Time from the connection, or from the previous request, to the end of the headers; beyond it 408.',
  },
  bodyTime: {
    value: 30_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'Time from the headers to the end of the body; beyond it 408.',
  },
  handshakeTime: {
    value: 10_000,
    unit: 'milliseconds',
    per: 'connection',
    meaning:
      'Time from the connection to the end of the TLS handshake; beyond it the connection is closed.',
  },
  answerTime: {
    value: 30_000,
    unit: 'milliseconds',
    per: 'connection',
    meaning:
      'Time in which the caller takes no byte of an answer that waits for it; beyond it the connection is closed.',
  },
  pipelined: {
    value: 16,
    unit: 'at once',
    per: 'connection',
    meaning:
      'Requests of one connection, which are answered one after another; the connection is closed after the answers to these.',
  },
  connectionsOfCaller: {
    value: 2_500,
    unit: 'at once',
    per: 'caller',
    meaning:
      'Connections from one address, except those of declared proxies; beyond it one of them that is not worked on is closed, or the new one.',
  },
  connections: {
    value: 10_000,
    unit: 'at once',
    per: 'process',
    meaning:
      'Connections; beyond it one of the address that has most, and that is not worked on, is closed, or the new one.',
  },
  bodyBytesOfCaller: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    per: 'caller',
    meaning:
      'Bodies that have not arrived completely, each with the length that it declares; beyond it 429.',
  },
  bodyBytes: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    per: 'process',
    meaning:
      'What has come of such bodies, of all callers together; beyond it the largest of the caller that holds most is cut off.',
  },
  ...jsonLimits,
  ...metricLimits,
  callersCounted: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Callers whose request rate is counted in memory; the oldest are counted in the database again.',
  },
  pathsKept: {
    value: 1_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Paths whose owner is kept in memory; the one stored longest ago is evicted.',
  },
} as const satisfies Limits;

/** A bound that a caller meets. The code uses `value`; `docs/limits.md` is written from all of it. */
export type Limit = {
  readonly value: number;
  readonly unit: LimitUnit;
  /** What it is counted for; `server` is everybody together. */
  readonly per:
    | 'request'
    | 'connection'
    | 'caller'
    | 'client'
    | 'account'
    | 'name'
    | 'subscription'
    | 'chain'
    | 'pair'
    | 'process'
    | 'server';
  /** What is bounded and what happens beyond, as one sentence. */
  readonly meaning: string;
  /** The setting that changes it; `value` is its default. */
  readonly setting?: string;
};

export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'items'
  | 'at once'
  | 'stored'
  | 'a minute'
  | 'bytes a minute'
  | 'milliseconds'
  | 'levels'
  | 'gas'
  | 'wei'
  | 'times';

/** The bounds of one part of the product, by name. */
export type Limits = Readonly<Record<string, Limit>>;
