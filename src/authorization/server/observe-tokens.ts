import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { ObserveTokens } from './token-endpoints/create-token-endpoints.ts';

/** Counts what the token endpoints give and refuse (T5). */
export function observeTokens(metrics: Metrics): ObserveTokens {
  const issued = metrics.counter({
    name: 'authorization_tokens_total',
    help: 'Answers with an access token, by grant type.',
    labels: ['grant'],
  });
  const refused = metrics.counter({
    name: 'authorization_refusals_total',
    help: 'Requests that the token endpoints refused, by OAuth error.',
    labels: ['error'],
  });
  return {
    issued: (grant) => issued.inc({ grant }),
    refused: (error) => refused.inc({ error }),
  };
}
