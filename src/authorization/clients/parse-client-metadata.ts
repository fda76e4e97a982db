import { z } from 'zod';
import { longestUrl, parseUrl } from '../../kernel/text/url.ts';
import { AuthorizationError } from '../authorization-error.ts';
import {
  type ClientAuthentication,
  type ClientMetadata,
  clientAuthentications,
  type GrantType,
  grantTypes,
} from '../model/client.ts';
import { redirectUriProblem } from '../protocol/redirect-uri.ts';
import type { Scopes } from '../protocol/scope.ts';

/**
 * Reads the metadata of a client (RFC 7591 section 2), from a registration or a document of its own. It
 * is as lenient as clients in the field need: empty texts and nulls count as absent; unknown grant types,
 * scopes and members are left out. So is a logo, because this server never fetches anything for display.
 *
 * Throws `invalid_redirect_uri` and `invalid_client_metadata` (RFC 7591 section 3.2.2).
 */
export function parseClientMetadata(
  input: unknown,
  options: { scopes: Scopes; defaultAuthentication?: ClientAuthentication },
): ClientMetadata {
  const { scopes, defaultAuthentication = 'client_secret_basic' } = options;
  const fields = readFields(input);
  const metadata: ClientMetadata = {
    name: fields.client_name,
    uri: fields.client_uri,
    redirectUris: fields.redirect_uris ?? [],
    grantTypes: readGrantTypes(fields.grant_types),
    authentication: readAuthentication(fields.token_endpoint_auth_method ?? defaultAuthentication),
    jwks: fields.jwks,
    jwksUri: fields.jwks_uri,
    scope: readScope(fields.scope, scopes),
    applicationType: fields.application_type ?? 'web',
    requiresDpop: fields.dpop_bound_access_tokens ?? false,
  };
  for (const uri of metadata.redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem === undefined) continue;
    throw new AuthorizationError(
      'invalid_redirect_uri',
      `The redirect URI "${uri.slice(0, 200)}" ${problem}.`,
    );
  }
  refuseContradictions(metadata, fields.response_types);
  return metadata;
}

const isWebUrl = (text: string) => /^https?:\/\//.test(text) && parseUrl(text) !== undefined;
const isSecureUrl = (text: string) => text.startsWith('https://') && parseUrl(text) !== undefined;
/** Long enough for any honest name, and short enough to show (RFC 7591 sets no bound). */
const longestName = 200;

/** A public key. A private or symmetric key is refused, because it must never be sent to anyone. */
const publicKey = z
  .looseObject({ kty: z.string() })
  .refine(
    (key) => !('d' in key) && !('k' in key),
    'holds a private key: send the public part alone',
  );

/** The metadata of a client as it is sent (RFC 7591 section 2); other fields are ignored. */
export const clientFields = z
  .object({
    redirect_uris: z.array(z.string().max(longestUrl)).max(100).optional(),
    token_endpoint_auth_method: z.string().optional(),
    grant_types: z.array(z.string()).optional(),
    response_types: z.array(z.string()).optional(),
    client_name: z.string().max(longestName).optional(),
    client_uri: z
      .string()
      .max(longestUrl)
      .refine(isWebUrl, 'must be an http or https URL')
      .optional(),
    scope: z.string().optional(),
    application_type: z.enum(['web', 'native']).optional(),
    jwks: z.object({ keys: z.array(publicKey).min(1).max(20) }).optional(),
    jwks_uri: z.string().max(longestUrl).refine(isSecureUrl, 'must be an https URL').optional(),
    dpop_bound_access_tokens: z.boolean().optional(),
  })
  .meta({ id: 'ClientMetadata', description: 'The metadata of a client (RFC 7591).' });

function readFields(input: unknown): z.output<typeof clientFields> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (!isObject) throw invalid('The metadata of a client must be a JSON object.');
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== '');
  const parsed = clientFields.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const { path = [], message } = parsed.error.issues[0] ?? { message: 'cannot be read' };
  throw invalid(`The client metadata "${path.join('.')}" is invalid: ${message}.`, parsed.error);
}

/** RFC 7591 defaults to the code grant alone; refreshing is added, since a client loses nothing by it. */
function readGrantTypes(given: readonly string[] | undefined): readonly GrantType[] {
  if (given === undefined) return ['authorization_code', 'refresh_token'];
  const known = grantTypes.filter((type) => given.includes(type));
  if (known.some((type) => type !== 'refresh_token')) return known;
  const first = grantTypes.filter((type) => type !== 'refresh_token');
  throw invalid(`None of the grant_types can obtain a first token here: use ${first.join(', ')}.`);
}

function readAuthentication(given: string): ClientAuthentication {
  const known = clientAuthentications.find((method) => method === given);
  if (known !== undefined) return known;
  throw invalid(
    `The token_endpoint_auth_method "${given.slice(0, 64)}" is not supported: use ${clientAuthentications.join(', ')}.`,
  );
}

function readScope(given: string | undefined, scopes: Scopes): ClientMetadata['scope'] {
  const known = scopes.parse(given ?? '');
  return known.length > 0 ? known : undefined;
}

function refuseContradictions(client: ClientMetadata, responseTypes: readonly string[] = ['code']) {
  const usesCodes = client.grantTypes.includes('authorization_code');
  if (usesCodes && client.redirectUris.length === 0) {
    throw new AuthorizationError(
      'invalid_redirect_uri',
      'The client has no redirect URI: send redirect_uris, or leave authorization_code out of its grant_types.',
    );
  }
  if (usesCodes && !responseTypes.includes('code')) {
    throw invalid('The grant type authorization_code needs the response type code: add it.');
  }
  const { authentication, jwks, jwksUri } = client;
  if (authentication === 'none' && client.grantTypes.includes('client_credentials')) {
    throw invalid(
      'A client that acts for itself must have credentials: use another token_endpoint_auth_method than none.',
    );
  }
  if (jwks !== undefined && jwksUri !== undefined) {
    throw invalid('The keys are given twice: send jwks or jwks_uri, not both.');
  }
  if (authentication === 'private_key_jwt' && jwks === undefined && jwksUri === undefined) {
    throw invalid('private_key_jwt needs the public keys of the client: send jwks or jwks_uri.');
  }
}

function invalid(message: string, cause?: unknown): AuthorizationError {
  return new AuthorizationError('invalid_client_metadata', message, { cause });
}
