import { edgeErrorStatus } from '../../kernel/http/messages/edge-error.ts';
import { toResponse } from '../../kernel/http/messages/to-response.ts';
import type { Mount } from '../../kernel/http/mount/mount.ts';
import type { Service } from '../../kernel/operations/service.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { SwapUseCases } from '../swap-use-cases.ts';
import { answerOperations, serve } from './answer-operations.ts';
import { createEnvelopes } from './create-envelopes.ts';
import { createSwapAnswers } from './create-swap-answers.ts';
import type { ExampleTrade } from './examples/example-trade.ts';
import { writeExamples } from './examples/write-examples.ts';
import { type AuthorizedCallers, limitQuotes } from './limit-quotes.ts';
import {
  chainsOperation,
  endpointsOperation,
  examplesOperation,
  historyOperation,
  priceOperation,
  quoteOperation,
  swapService,
  tokensOperation,
} from './operations/operations.ts';
import { type UpstreamQuotes, viaTradewind } from './upstream/create-upstream-quotes.ts';

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

  const served = [
    serve(examplesOperation, async () => ({ examples })),
    serve(quoteOperation, ({ given, caller, signal, request }) =>
      answers.quote(given, {
        signal,
        caller,
        isForwarded: request.header('via')?.includes(viaTradewind) ?? false,
      }),
    ),
    serve(priceOperation, ({ given, caller, signal }) => answers.price(given, { signal, caller })),
    serve(historyOperation, ({ given }) => answers.history(given)),
    serve(endpointsOperation, ({ given }) => answers.endpoints(given)),
    serve(chainsOperation, () => answers.chains()),
    serve(tokensOperation, ({ given, signal }) => answers.tokens(given, { signal })),
  ];

  const origins = 'any';
  return {
    ...answerOperations({ served, envelopes, count: limitQuotes(options) }),
    paths: {
      '/v1/swap/*': { origins },
      '/v1/price/*': { origins },
      '/v1/chains/*': { origins },
      '/v1/tokens/*': { origins },
    },
    service: { ...swapService, sample: examples.curl },
    // The edge writes its own refusals in the error envelope too.
    writeRefusal: (error) => toResponse(envelopes.error(error, edgeErrorStatus[error.code])),
  };
}
