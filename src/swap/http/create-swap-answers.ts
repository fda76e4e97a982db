import type { z } from 'zod';
import { SwapError } from '../model/swap-error.ts';
import type { AskOptions, SwapUseCases } from '../swap-use-cases.ts';
import type {
  chainsData,
  endpointsData,
  historyData,
  tokensData,
} from './operations/answer-schemas.ts';
import {
  endpointsOperation,
  historyOperation,
  priceOperation,
  quoteOperation,
  tokensOperation,
} from './operations/operations.ts';
import { type GivenParameters, readParameters } from './read-parameters.ts';
import { toChainAnswer } from './to-chain-answer.ts';
import { type PriceAnswer, type QuoteAnswer, toQuoteAnswer } from './to-quote-answer.ts';
import type { UpstreamQuotes } from './upstream/create-upstream-quotes.ts';

/**
 * The interface without HTTP: parameters as text in, `data` of the success envelope out. All of them
 * throw {@link SwapError}, whose `INVALID_PARAMS` names every bad parameter.
 */
export type SwapAnswers = {
  quote(
    given: GivenParameters,
    options: AskOptions & { readonly isForwarded?: boolean },
  ): Promise<QuoteAnswer>;
  price(given: GivenParameters, options: AskOptions): Promise<PriceAnswer>;
  history(given: GivenParameters): Promise<z.input<typeof historyData>>;
  endpoints(given: GivenParameters): Promise<z.input<typeof endpointsData>>;
  chains(): Promise<z.input<typeof chainsData>>;
  tokens(
    given: GivenParameters,
    options: { signal: AbortSignal },
  ): Promise<z.input<typeof tokensData>>;
};

/**
 * Answers from the service behind the interface. Quotes on a chain without deployments here come from the
 * upstream (Q12). A request that another Tradewind forwarded is not forwarded again. If the upstream does
 * not serve the chain either, the refusal is our own, with the chains served here.
 */
export function createSwapAnswers(options: {
  readonly useCases: SwapUseCases;
  readonly upstream?: UpstreamQuotes | undefined;
}): SwapAnswers {
  const { useCases, upstream } = options;
  return {
    async quote(given, { signal, caller, isForwarded = false }) {
      const { amount, ...rest } = readParameters(quoteOperation.parameters, given);
      const request = { ...rest, amountIn: amount };
      try {
        return toQuoteAnswer(await useCases.quote(request, { signal, caller }));
      } catch (error) {
        if (upstream === undefined || isForwarded || !isUnsupportedChain(error)) throw error;
        return upstream.quote(request, { signal }).catch((upstreamError) => {
          throw isUnsupportedChain(upstreamError) ? error : upstreamError;
        });
      }
    },
    async price(given, options) {
      const { amount, ...rest } = readParameters(priceOperation.parameters, given);
      return toQuoteAnswer(await useCases.price({ ...rest, amountIn: amount }, options));
    },
    async history(given) {
      const points = await useCases.history(readParameters(historyOperation.parameters, given));
      return {
        points: points.map(({ at, price, blockNumber }) => ({
          at: new Date(at).toISOString(),
          price,
          blockNumber: blockNumber.toString(),
        })),
      };
    },
    async endpoints(given) {
      const { chainId } = readParameters(endpointsOperation.parameters, given);
      const records = await useCases.endpoints(chainId);
      return {
        endpoints: records.map(({ url, ...record }, index) => ({
          name: record.origin === 'settings' ? `own endpoint ${index + 1}` : url,
          ...record,
        })),
      };
    },
    async chains() {
      return { chains: (await useCases.chains()).map(toChainAnswer) };
    },
    async tokens(given, { signal }) {
      const { chainId } = readParameters(tokensOperation.parameters, given);
      return { tokens: [...(await useCases.tokens(chainId, { signal }))] };
    },
  };
}

function isUnsupportedChain(error: unknown): boolean {
  return error instanceof SwapError && error.code === 'UNSUPPORTED_CHAIN';
}
