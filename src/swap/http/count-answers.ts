import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import { SwapError } from '../swap-error.ts';
import type { SwapAnswers } from './create-swap-answers.ts';
import type { GivenParameters } from './read-parameters.ts';

type CountedOptions = { readonly signal: AbortSignal; readonly subject: string };

/** {@link SwapAnswers} for callers inside the process, who say for whom they ask. */
export type CountedAnswers = {
  quote(
    given: GivenParameters,
    options: CountedOptions,
  ): Promise<Awaited<ReturnType<SwapAnswers['quote']>>>;
  chains: SwapAnswers['chains'];
  tokens(
    given: GivenParameters,
    options: CountedOptions,
  ): Promise<Awaited<ReturnType<SwapAnswers['tokens']>>>;
};

/**
 * Counts quotes and tokens against the bucket of the subject, which is the one that requests with a
 * token of that subject count against. Throws `RATE_LIMITED` besides what the answers throw.
 */
export function countAnswers(answers: SwapAnswers, limiter: RateLimiter): CountedAnswers {
  async function count(subject: string): Promise<void> {
    const { isAllowed, limit, retryAfterSeconds } = await limiter.take(subject);
    if (isAllowed) return;
    throw new SwapError(
      'RATE_LIMITED',
      `More than ${limit} requests in a minute: wait ${Math.ceil(retryAfterSeconds)} seconds and try again.`,
      { details: { retryAfterSeconds: Math.ceil(retryAfterSeconds) } },
    );
  }
  return {
    async quote(given, { signal, subject }) {
      await count(subject);
      return answers.quote(given, { signal });
    },
    chains: answers.chains,
    async tokens(given, { signal, subject }) {
      await count(subject);
      return answers.tokens(given, { signal });
    },
  };
}
