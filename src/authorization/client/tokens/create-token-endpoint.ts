import type { ClientContext } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { Registration } from '../records.ts';
import type { DpopProver } from './dpop.ts';
import type { TokenEndpoint } from './request-tokens.ts';

/** The token endpoint as one registration sees it; the configured key belongs to the configured client. */
export function createTokenEndpoint(
  { fetch, clock, options }: ClientContext,
  request: {
    discovery: Discovery;
    registration: Registration;
    dpop: DpopProver | undefined;
    signal?: AbortSignal | undefined;
  },
): TokenEndpoint {
  const { discovery, registration, dpop, signal } = request;
  const key = registration.isDynamic ? undefined : options.clientKey;
  return { fetch, clock, metadata: discovery.metadata, registration, key, dpop, signal };
}
