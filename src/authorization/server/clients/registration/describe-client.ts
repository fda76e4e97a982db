import type { Client } from '../../model/client.ts';

/** A client as registration answers it (RFC 7591 section 3.2.1), without its secrets. */
export function describeClient(client: Client) {
  const usesCodes = client.grantTypes.includes('authorization_code');
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
    ...(client.name === undefined ? {} : { client_name: client.name }),
    ...(client.uri === undefined ? {} : { client_uri: client.uri }),
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: usesCodes ? ['code'] : [],
    token_endpoint_auth_method: client.authentication,
    scope: client.defaultScope.join(' '),
    application_type: client.applicationType,
    dpop_bound_access_tokens: client.requiresDpop,
    ...(client.jwks === undefined ? {} : { jwks: client.jwks }),
    ...(client.jwksUri === undefined ? {} : { jwks_uri: client.jwksUri }),
  };
}
