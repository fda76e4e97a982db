import type { Limits } from '../kernel/edge/limits.ts';
import { swapSettings } from './config.ts';

/** How many times the anonymous limit a token allows. */
export const timesWithToken = 10;

const rateLimit = Number(swapSettings.rateLimit.default);

/** How many quotes a minute may be of tokens not in memory: each costs many times as much [F13]. */
export function coldQuotesOf(perMinute: number): number {
  return Math.max(10, Math.ceil(perMinute / 10));
}

/** The limits of the quote interface. */
export const swapLimits = {
  quotes: {
    value: rateLimit,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Quotes and lists of tokens, without an access token; beyond it 429.',
    setting: 'TRADEWIND_RATE_LIMIT',
  },
  quotesWithToken: {
    value: timesWithToken * rateLimit,
    unit: 'a minute',
    per: 'account',
    meaning: 'The same with an access token: ten times the setting; beyond it 429.',
    setting: 'TRADEWIND_RATE_LIMIT',
  },
  coldQuotes: {
    value: coldQuotesOf(rateLimit),
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Of these, quotes of a token that is in no pool in memory: a tenth of the setting, at least 10, and ten times as many with an access token; beyond it 429.',
    setting: 'TRADEWIND_RATE_LIMIT',
  },
  quotesAtOnce: {
    value: 16,
    unit: 'at once',
    per: 'process',
    meaning: 'Quotes that are being computed; others wait, and callers take turns.',
  },
  quotesWaiting: {
    value: 1_000,
    unit: 'items',
    per: 'process',
    meaning: 'Quotes that wait to be computed; beyond it 429.',
  },
  quotesWaitingEach: {
    value: 250,
    unit: 'items',
    per: 'caller',
    meaning: 'The same of one caller; beyond it 429.',
  },
  slippageText: {
    value: 64,
    unit: 'characters',
    per: 'request',
    meaning: 'The text of `maxSlippage`; beyond it 400.',
  },
  poolsKept: {
    value: 5_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Pools in memory; the least recently used is evicted.',
  },
  tickWords: {
    value: 512,
    unit: 'items',
    per: 'request',
    meaning:
      'Words of 256 ticks that are read of a pool on either side of its price; a trade takes nothing of what lies beyond.',
  },
  tickWordsPerCall: {
    value: 1_024,
    unit: 'items',
    per: 'request',
    meaning: 'The same of all pools in one `eth_call`; further pools are read by further calls.',
  },
  tokensKept: {
    value: 10_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Names of tokens in memory; the one stored longest ago is evicted.',
  },
  pairsKept: {
    value: 2_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Pairs whose pools are known; the least recently used is evicted.',
  },
  historyPairs: {
    value: 1_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Pairs whose prices are kept for charts; the one priced longest ago is evicted.',
  },
  historyPoints: {
    value: 500,
    unit: 'stored',
    per: 'pair',
    meaning: 'Prices of a pair that are kept for charts; the oldest is dropped.',
  },
  rpcRequestsAtOnce: {
    value: 64,
    unit: 'at once',
    per: 'process',
    meaning: 'Requests to RPC endpoints; others wait.',
  },
  rpcCallAnswer: {
    value: 256 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning:
      'The answer of an RPC endpoint to one `eth_call`; beyond it the request counts as failed.',
  },
  rpcBlockAnswer: {
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The same for a block with the hashes of its transactions.',
  },
  rpcLogsAnswer: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The same for the logs of a block.',
  },
  rpcAnswer: {
    value: 16 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The same for any other method.',
  },
  rpcBatchAnswer: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The same for a whole batch.',
  },
  rpcValues: {
    value: 100_000,
    unit: 'items',
    per: 'request',
    meaning: 'The same in values of JSON; and nested as deep as any JSON may be.',
  },
  rpcNames: {
    value: 25_000,
    unit: 'items',
    per: 'request',
    meaning:
      'The same in names of members, which take many times as long to parse: some 2,500 logs.',
  },
  gasPrice: {
    value: 10_000 * 10 ** 9,
    unit: 'wei',
    per: 'chain',
    meaning:
      'The gas price that an RPC endpoint suggests, except on chains whose gas is known to cost more; beyond it another endpoint is asked.',
  },
  gasPriceOfBaseFee: {
    value: 4,
    unit: 'times',
    per: 'chain',
    meaning:
      'The same as a multiple of the base fee, on chains that have one, to which the tip is added.',
  },
  gasTip: {
    value: 500 * 10 ** 9,
    unit: 'wei',
    per: 'chain',
    meaning: 'This tip. It is what go-ethereum itself suggests at most.',
  },
  gasPriceOfOthers: {
    value: 8,
    unit: 'times',
    per: 'chain',
    meaning:
      'The same as a multiple of what the endpoints suggest that were asked in the last minute, the middle one of them and 3 gwei.',
  },
  graphsKept: {
    value: 200,
    unit: 'stored',
    per: 'chain',
    meaning: 'Pools prepared for the search of a route; those prepared longest ago are evicted.',
  },
  routesKept: {
    value: 300,
    unit: 'stored',
    per: 'chain',
    meaning: 'Routes found in the newest block; those found longest ago are evicted.',
  },
  poolsSearchedServing: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning:
      'Pools of a market that is searched on the serving thread; larger markets are searched one after another on the search thread.',
  },
  searchesOnThread: {
    value: 1,
    unit: 'at once',
    per: 'process',
    meaning: 'Searches that run on the search thread; others wait.',
  },
  statesOnSearchThread: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning: 'States of pools in the memory of the search thread; beyond it they are copied again.',
  },
  layoutsKept: {
    value: 10_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Storage layouts of tokens in memory; the one stored longest ago is evicted.',
  },
  probeAnswer: {
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning:
      'The answer of an RPC endpoint that is measured; beyond it the endpoint counts as bad.',
  },
  chainList: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    per: 'process',
    meaning: 'The public list of chains; beyond it the list is not used.',
  },
  upstreamAnswer: {
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The answer of an upstream server to a quote; beyond it 502.',
  },
  chainListValues: {
    value: 400_000,
    unit: 'items',
    per: 'process',
    meaning: 'The same in values of JSON.',
  },
} as const satisfies Limits;
