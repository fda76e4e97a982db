import type { Scopes } from '../../protocol/scope.ts';
import { signingAlgorithms } from '../../protocol/signing-algorithms.ts';
import { clientAuthentications, grantTypes } from '../model/client.ts';
import { endpointPaths } from '../model/endpoint-paths.ts';

/**
 * The metadata of this authorization server (RFC 8414 section 2, with the members that later standards
 * add). Registration and client documents are left out where only the operator makes clients.
 */
export function describeAuthorizationServer(options: {
  readonly issuer: string;
  readonly canRegister: boolean;
  readonly scopes: Scopes;
  /** Addresses that its tokens are for (RFC 9728 section 4). */
  readonly resources: readonly string[];
  /** Native programs that belong to this server, which need no registration. */
  readonly nativeClients?: readonly string[] | undefined;
}) {
  const { issuer, canRegister, scopes, resources, nativeClients = [] } = options;
  const at = (path: string) => `${issuer}${path}`;
  const confidential = clientAuthentications.filter((method) => method !== 'none');
  return {
    issuer,
    authorization_endpoint: at(endpointPaths.authorize),
    token_endpoint: at(endpointPaths.token),
    ...(canRegister ? { registration_endpoint: at(endpointPaths.register) } : {}),
    revocation_endpoint: at(endpointPaths.revoke),
    introspection_endpoint: at(endpointPaths.introspect),
    jwks_uri: at(endpointPaths.jwks),
    pushed_authorization_request_endpoint: at(endpointPaths.pushedRequest),
    device_authorization_endpoint: at(endpointPaths.deviceAuthorization),
    scopes_supported: scopes.names(),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: clientAuthentications,
    token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthentications,
    introspection_endpoint_auth_methods_supported: confidential,
    dpop_signing_alg_values_supported: signingAlgorithms,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    authorization_response_iss_parameter_supported: true,
    ...(canRegister ? { client_id_metadata_document_supported: true } : {}),
    protected_resources: resources,
    ...(nativeClients.length === 0 ? {} : { tradewind_native_clients: nativeClients }),
  };
}
