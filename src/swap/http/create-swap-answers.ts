import type { z } from 'zod';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { count } from '../../kernel/text/text.ts';
import { SwapError } from '../model.ts';
import { shownName } from '../rpc-endpoints/rank-endpoints.ts';
import type { AskOptions, ListedChain, SwapUseCases } from '../swap-use-cases.ts';
import type { PairReader } from '../watch/pair-reader.ts';
import {
  type chain,
  type chainsData,
  type endpointsData,
  type historyData,
  mostRpcUrls,
  type tokensData,
} from './operations/answer-schemas.ts';
import {
  endpointsOperation,
  historyOperation,
  priceOperation,
  quoteOperation,
  tokensOperation,
} from './operations/operations.ts';
import { type PriceAnswer, type QuoteAnswer, toQuoteAnswer } from './to-quote-answer.ts';
import type { UpstreamQuotes } from './upstream-quotes.ts';

/**
 * The interface without HTTP: parameters as text in, `data` of the success envelope out. All of them
 * throw {@link SwapError}, whose `INVALID_PARAMS` names every bad parameter.
 */
type SwapAnswers = {
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
        endpoints: records.map((record, index) => {
          const { url: _, ...shown } = record;
          return { name: shownName(record, index), ...shown };
        }),
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

/** Parameters as they arrive: text, once or several times. */
export type GivenParameters = Readonly<Record<string, string | readonly string[]>>;

/** Reads parameters by a schema. Throws `INVALID_PARAMS` with every bad one named in `details` (Q2). */
function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: GivenParameters,
): z.output<Schema> {
  const single = Object.entries(given).map(([name, value]) => [
    name,
    typeof value !== 'string' && value.length === 1 ? value[0] : value,
  ]);
  const result = schema.safeParse(Object.fromEntries(single));
  if (result.success) return result.data;
  const details: Record<string, string> = {};
  for (const { path, message } of result.error.issues) details[path.join('.')] ??= message;
  const problems = Object.entries(details).map(([name, problem]) => `${name} ${problem}`);
  throw new SwapError('INVALID_PARAMS', `${problems.join('; ')}.`, { details });
}

export type ChainAnswer = z.input<typeof chain>;

/** Writes a served chain as `/v1/chains` shows it. */
function toChainAnswer(served: ListedChain): ChainAnswer {
  const { chainId, name, nativeCurrency, rpcUrls, routers, exchanges } = served;
  return {
    chainId,
    name,
    nativeCurrency,
    rpcUrls: rpcUrls.slice(0, mostRpcUrls),
    routers: routers.map(({ kind, address, exchanges: reached }) => ({
      kind,
      address,
      dexes: [...reached],
    })),
    dexes: exchanges.map(({ name: exchange, kind, factory, provenBy }) => ({
      id: exchange,
      name: exchange,
      kind,
      factory,
      provenBy: provenBy ?? 'contracts',
    })),
  };
}
