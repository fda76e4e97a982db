import type { Limits } from '../kernel/limits/limit.ts';
import { swapSettings } from './config.ts';

/** What a token is worth beyond the anonymous limit. */
export const timesWithToken = 10;

const rateLimit = Number(swapSettings.rateLimit.default);

/** What callers of the quote interface meet. */
export const swapLimits = {
  quotes: {
    value: rateLimit,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Quotes and lists of tokens without a token; beyond it 429.',
    setting: 'TRADEWIND_RATE_LIMIT',
  },
  quotesWithToken: {
    value: timesWithToken * rateLimit,
    unit: 'a minute',
    per: 'account',
    meaning: 'The same with a token: ten times the setting; beyond it 429.',
    setting: 'TRADEWIND_RATE_LIMIT',
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
    meaning: 'Pools in memory; the one unused for longest gives way.',
  },
  tokensKept: {
    value: 10_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Names of tokens in memory; the one unused for longest gives way.',
  },
  pairsKept: {
    value: 2_000,
    unit: 'stored',
    per: 'chain',
    meaning: 'Pairs whose pools are known; the one unused for longest gives way.',
  },
} as const satisfies Limits;
