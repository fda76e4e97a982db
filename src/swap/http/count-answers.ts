import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import { count } from '../../kernel/text/count.ts';
import { SwapError } from '../model/swap-error.ts';
import type { PairReader } from '../watch/create-pair-reader.ts';
import type { SwapAnswers } from './create-swap-answers.ts';

type UncountedAnswers = Pick<SwapAnswers, 'quote' | 'chains' | 'tokens'> & {
  readonly pairPrice: PairReader;
};

/** The same question, asked for a subject. */
type Counted<Ask extends (question: never, options: never) => Promise<unknown>> = (
  question: Parameters<Ask>[0],
  options: { readonly signal: AbortSignal; readonly subject: string },
) => ReturnType<Ask>;

/** The answers of the service for other parts of the process, which name the subject they act for. */
export type CountedAnswers = {
  readonly quote: Counted<SwapAnswers['quote']>;
  readonly chains: SwapAnswers['chains'];
  readonly tokens: Counted<SwapAnswers['tokens']>;
  readonly pairPrice: Counted<PairReader>;
};

/**
 * Counts costly calls against the bucket of the subject, the same as for requests with a token of that subject.
 * Throws `RATE_LIMITED` besides what the answers throw.
 */
export function countAnswers(answers: UncountedAnswers, limiter: RateLimiter): CountedAnswers {
  async function countCall(subject: string): Promise<void> {
    const { isAllowed, limit, retryAfterSeconds } = await limiter.take(subject);
    if (isAllowed) return;
    const seconds = Math.ceil(retryAfterSeconds);
    throw new SwapError(
      'RATE_LIMITED',
      `More than ${limit} requests in a minute: wait ${count(seconds, 'second')} and try again.`,
      { details: { retryAfterSeconds: seconds } },
    );
  }
  return {
    async quote(given, { signal, subject }) {
      await countCall(subject);
      return answers.quote(given, { signal, caller: { key: subject, hasToken: true } });
    },
    chains: answers.chains,
    async tokens(given, { signal, subject }) {
      await countCall(subject);
      return answers.tokens(given, { signal });
    },
    async pairPrice(pair, { signal, subject }) {
      await countCall(subject);
      return answers.pairPrice(pair, { signal });
    },
  };
}
