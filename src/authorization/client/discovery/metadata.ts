import { z } from 'zod';

const words = z.array(z.string()).optional().catch(undefined);
const address = z.string().optional();

/** What the client reads of authorization server metadata (RFC 8414 section 2); all else is kept as it came. */
export const serverMetadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: z.string(),
  registration_endpoint: address,
  revocation_endpoint: address,
  device_authorization_endpoint: address,
  scopes_supported: words,
  grant_types_supported: words,
  token_endpoint_auth_methods_supported: words,
  code_challenge_methods_supported: words,
  dpop_signing_alg_values_supported: words,
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
  tradewind_native_clients: words,
});

export type ServerMetadata = z.output<typeof serverMetadataSchema>;

/** What the client reads of protected resource metadata (RFC 9728 section 2). */
export const resourceMetadataSchema = z.looseObject({
  resource: z.string(),
  authorization_servers: words,
  scopes_supported: words,
  dpop_bound_access_tokens_required: z.boolean().optional().catch(undefined),
});

export type ResourceMetadata = z.output<typeof resourceMetadataSchema>;
