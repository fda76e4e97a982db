import { Hono } from 'hono';
import type { Clock } from '../../kernel/clock.ts';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import { edgeErrorStatus } from '../../kernel/http/edge-error.ts';
import type { Mount } from '../../kernel/http/mount.ts';
import type { Service } from '../../kernel/operations/service.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import { SwapError } from '../swap-error.ts';
import { createEnvelopes } from './create-envelopes.ts';
import { createSwapAnswers } from './create-swap-answers.ts';
import { type UpstreamQuotes, viaTradewind } from './create-upstream-quotes.ts';
import type { ExampleTrade } from './example-trade.ts';
import { type AuthorizedCallers, limitQuotes } from './limit-quotes.ts';
import {
  chainsOperation,
  examplesOperation,
  priceOperation,
  quoteOperation,
  swapService,
  tokensOperation,
} from './operations.ts';
import { createOperationServer } from './serve-operation.ts';
import { swapErrorStatus } from './swap-error-status.ts';
import type { SwapUseCases } from './swap-use-cases.ts';
import { writeExamples } from './write-examples.ts';

export type SwapMountOptions = {
  readonly useCases: SwapUseCases;
  /** Asked for chains without deployments here. */
  readonly upstream?: UpstreamQuotes;
  /** Buckets of callers known by their address only. */
  readonly limiter: RateLimiter;
  /** Callers with a token, who have buckets of their own. */
  readonly authorized?: AuthorizedCallers;
  readonly clock: Clock;
  readonly publicUrl: URL;
  readonly exampleTrade: ExampleTrade;
};

/** The published interface of the swap service, ready to be mounted on the edge. */
export function createSwapMount(options: SwapMountOptions): Mount & { service: Service } {
  const { publicUrl, exampleTrade } = options;
  const envelopes = createEnvelopes(options.clock);
  const answers = createSwapAnswers(options);
  const examples = writeExamples(publicUrl, exampleTrade);

  const app = new Hono<EdgeEnv>();
  const { limit, callerOf } = limitQuotes(options);
  const serve = createOperationServer({ app, envelopes, limit });
  serve(examplesOperation, async () => ({ examples }));
  serve(quoteOperation, (given, request) =>
    answers.quote(given, {
      signal: request.signal,
      caller: callerOf(request),
      isForwarded: request.headers.get('Via')?.includes(viaTradewind) ?? false,
    }),
  );
  serve(priceOperation, (given, request) =>
    answers.price(given, { signal: request.signal, caller: callerOf(request) }),
  );
  serve(chainsOperation, () => answers.chains());
  serve(tokensOperation, (given, { signal }) => answers.tokens(given, { signal }));
  // What is not ours goes on to the edge, which comes back for the envelope of its own refusals.
  app.onError((error) => {
    if (error instanceof SwapError) return envelopes.error(error, swapErrorStatus[error.code]);
    throw error;
  });

  const origins = 'any';
  return {
    app,
    paths: {
      '/v1/swap/*': { origins },
      '/v1/price/*': { origins },
      '/v1/chains': { origins },
      '/v1/tokens/*': { origins },
    },
    service: { ...swapService, sample: examples.curl },
    writeRefusal: (error) => envelopes.error(error, edgeErrorStatus[error.code]),
  };
}
