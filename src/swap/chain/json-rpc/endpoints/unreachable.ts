import { SwapError } from '../../../model/swap-error.ts';
import type { EndpointFailure } from '../endpoint-failure.ts';
import type { RpcEndpoint } from './create-endpoint.ts';

/** The last failure of each endpoint that was asked. */
export type FailedAttempts = Map<RpcEndpoint, EndpointFailure>;

/**
 * The error for a chain that no endpoint could read [Q2]. Its details say of each endpoint, by its
 * origin only, why it gave nothing or why it was not asked.
 */
export function unreachable(options: {
  chainId: number;
  endpoints: readonly RpcEndpoint[];
  failures: FailedAttempts;
}): SwapError {
  const { chainId, endpoints, failures } = options;
  const attempts = endpoints.flatMap((endpoint) => {
    const { origin, health } = endpoint;
    const failure = failures.get(endpoint);
    if (failure !== undefined) {
      return [{ endpoint: origin, reason: failure.reason, message: failure.message }];
    }
    const { lastFailure, leftOutUntil } = health;
    if (lastFailure === undefined) return [];
    const until = new Date(leftOutUntil).toISOString();
    const message = `not asked until ${until}: ${lastFailure.message}`;
    return [{ endpoint: origin, reason: lastFailure.reason, message }];
  });
  const blockUnknown = attempts.some(({ reason }) => reason === 'unknown-block');
  return new SwapError('UPSTREAM_ERROR', explain(chainId, endpoints.length), {
    details: { chainId, attempts, ...(blockUnknown ? { blockUnknown } : {}) },
  });
}

function explain(chainId: number, asked: number): string {
  if (asked === 0) {
    return `Chain ${chainId} has no RPC endpoint: name one in TRADEWIND_RPC_${chainId}.`;
  }
  const failed =
    asked === 1
      ? `The RPC endpoint of chain ${chainId} gave no usable answer`
      : `None of the ${asked} RPC endpoints of chain ${chainId} gave a usable answer`;
  return `${failed}: see the details, and name a better one in TRADEWIND_RPC_${chainId}.`;
}
