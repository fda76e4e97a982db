import type { Scopes } from '../../protocol/scope.ts';
import { signingAlgorithms } from '../../protocol/signing-algorithms.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** The metadata of a path that requires a token, or of the whole origin (RFC 9728 section 2). */
export function describeProtectedResource(options: {
  readonly issuer: string;
  /** The origin by which the client calls the server. */
  readonly origin: string;
  readonly resource: ProtectedResource | undefined;
  readonly scopes: Scopes;
}) {
  const { issuer, origin, resource, scopes } = options;
  return {
    resource: `${origin}${resource?.path ?? ''}`,
    authorization_servers: [issuer],
    scopes_supported: resource?.scope ?? scopes.ownNames(),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: signingAlgorithms,
    resource_name: resource?.name ?? 'Tradewind',
  };
}
