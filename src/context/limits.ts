import type { Limits } from '../kernel/edge/limits.ts';

/** The limits of the MCP endpoint. */
export const contextLimits = {
  sessionsOfCaller: {
    value: 64,
    unit: 'at once',
    per: 'account',
    meaning: 'MCP sessions of one caller; the least recently used is evicted.',
  },
  messages: {
    value: 3_000,
    unit: 'a minute',
    per: 'account',
    meaning:
      'Messages and streams of one account by one client, each message of a batch by itself; beyond it 429.',
  },
  batch: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning: 'Messages in one batch; beyond it a JSON-RPC error.',
  },
  sessionsOfAccount: {
    value: 256,
    unit: 'at once',
    per: 'account',
    meaning:
      'MCP sessions of one account by all its clients at one process; the least recently used of the client with the most is evicted.',
  },
  sessions: {
    value: 512,
    unit: 'at once',
    per: 'process',
    meaning:
      'MCP sessions of all people, and as many again of clients that act for themselves; beyond it the account with the most loses one to an account that has fewer by two, else 503.',
  },
  listeners: {
    value: 1_024,
    unit: 'at once',
    per: 'process',
    meaning:
      'Open streams of clients without a session, and streams of sessions that began at another process and continue here; beyond it the account with the most loses its oldest to one that has fewer by two, else 503.',
  },
  listenersOfAccount: {
    value: 256,
    unit: 'at once',
    per: 'account',
    meaning: 'The same streams of one account by all its clients at one process; beyond it 429.',
  },
  listenersOfCaller: {
    value: 32,
    unit: 'at once',
    per: 'account',
    meaning: 'The same streams of one account by one client at one process; beyond it 429.',
  },
  sessionLog: {
    value: 64 * 1024,
    unit: 'characters',
    per: 'caller',
    meaning:
      'Messages of a session that are kept so that a stream can resume; the oldest are dropped.',
  },
  sessionStreams: {
    value: 256,
    unit: 'stored',
    per: 'caller',
    meaning: 'Streams of a session that can continue at another process; the oldest are dropped.',
  },
  streamTime: {
    value: 10 * 60_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'How long a stream lasts; to listen for longer, a client opens a new one.',
  },
  watches: {
    value: 32,
    unit: 'at once',
    per: 'caller',
    meaning: 'Pairs that one session or stream watches; beyond it TOO_MANY_WATCHES.',
  },
  watchesOfCaller: {
    value: 256,
    unit: 'at once',
    per: 'account',
    meaning:
      'Pairs that all sessions of one account by one client watch, and separately all its streams at one process; beyond it TOO_MANY_WATCHES.',
  },
  pairs: {
    value: 2_000,
    unit: 'at once',
    per: 'process',
    meaning:
      'Different pairs that all sessions and streams watch; beyond it TOO_MANY_WATCHES, except for a pair that is watched already.',
  },
} as const satisfies Limits;
