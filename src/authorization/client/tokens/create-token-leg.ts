import type { ClientContext } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { Registration } from '../records.ts';
import type { DpopProver } from './dpop.ts';
import type { TokenLeg } from './request-tokens.ts';

/** The token endpoint as one registration sees it; the configured key belongs to the configured client. */
export function createTokenLeg(
  { fetch, clock, options }: ClientContext,
  leg: {
    discovery: Discovery;
    registration: Registration;
    dpop: DpopProver | undefined;
    signal?: AbortSignal | undefined;
  },
): TokenLeg {
  const { discovery, registration, dpop, signal } = leg;
  const key = registration.isDynamic ? undefined : options.clientKey;
  return { fetch, clock, metadata: discovery.metadata, registration, key, dpop, signal };
}
