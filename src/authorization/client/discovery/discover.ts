import { authorizationBaseUrl } from '../../protocol/base-url.ts';
import { checkUrl } from '../check-url.ts';
import { findResourceMetadata } from './find-resource-metadata.ts';
import { findBaseServer, findNamedServer } from './find-server-metadata.ts';
import type { ServerMetadata } from './metadata.ts';
import type { DocumentRequest } from './read-document.ts';

/** The result of discovery: what is known about getting a token for an MCP server. */
export type Discovery = {
  readonly metadata: ServerMetadata;
  /** The identifier to send as `resource` (RFC 8707), exactly as published; absent for servers without one. */
  readonly resource?: string | undefined;
  readonly scopesSupported?: readonly string[] | undefined;
  readonly isDpopRequired: boolean;
};

const usedEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const;

/**
 * Finds the authorization server of an MCP server. Documents come first, in the orders of every
 * revision; the default paths `/authorize`, `/token` and `/register` are used only where there is none.
 * Every endpoint is checked before it is returned.
 *
 * Throws `ISSUER_MISMATCH`, `RESOURCE_MISMATCH`, `INVALID_ANSWER`, `UNSAFE_URL`, `INSECURE_URL`,
 * `ADDRESS_REFUSED` and `UNREACHABLE`.
 */
export async function discover(
  options: DocumentRequest & { serverUrl: URL; resourceMetadata?: string | undefined },
): Promise<Discovery> {
  const { serverUrl, resourceMetadata } = options;
  const resource = await findResourceMetadata({ ...options, named: resourceMetadata });
  const metadata = await findServer(resource?.authorization_servers ?? [], options);
  for (const name of usedEndpoints) {
    const endpoint = metadata[name];
    if (endpoint !== undefined) checkUrl(endpoint, name);
  }
  return {
    metadata,
    resource: resource?.resource,
    scopesSupported: resource?.scopes_supported,
    isDpopRequired: resource?.dpop_bound_access_tokens_required === true,
  };

  async function findServer(issuers: readonly string[], request: typeof options) {
    for (const issuer of issuers) {
      checkUrl(issuer, 'authorization server');
      const found = await findNamedServer(issuer, request);
      if (found !== undefined) return found;
    }
    const [named] = issuers;
    if (named !== undefined) return atDefaultPaths(named);
    return (await findBaseServer(serverUrl, request)) ?? atDefaultPaths(serverUrl.origin);
  }
}

function atDefaultPaths(issuer: string): ServerMetadata {
  const base = authorizationBaseUrl(issuer);
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
  };
}
