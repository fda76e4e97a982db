import type { QuoteRequest } from '../quote/quote.ts';
import { SwapError } from '../swap-error.ts';
import type { UpstreamQuotes } from './create-upstream-quotes.ts';
import type { SwapUseCases } from './swap-use-cases.ts';
import { type QuoteAnswer, toQuoteAnswer } from './to-quote-answer.ts';

export type QuoteAnswers = (
  request: QuoteRequest,
  options: { signal: AbortSignal; isForwarded: boolean },
) => Promise<QuoteAnswer>;

/**
 * Answers from this server's own quotes, or from the upstream for a chain without deployments here
 * (Q12). What another Tradewind forwarded is not forwarded again. Where the upstream does not serve
 * the chain either, the refusal is our own, with the chains served here.
 */
export function createQuoteAnswers(options: {
  quote: SwapUseCases['quote'];
  upstream?: UpstreamQuotes | undefined;
}): QuoteAnswers {
  const { quote, upstream } = options;
  return async (request, { signal, isForwarded }) => {
    try {
      return toQuoteAnswer(await quote(request, { signal }));
    } catch (error) {
      if (upstream === undefined || isForwarded || !isUnsupportedChain(error)) throw error;
      return upstream.quote(request, { signal }).catch((upstreamError) => {
        throw isUnsupportedChain(upstreamError) ? error : upstreamError;
      });
    }
  };
}

function isUnsupportedChain(error: unknown): boolean {
  return error instanceof SwapError && error.code === 'UNSUPPORTED_CHAIN';
}
