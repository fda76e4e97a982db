import { z } from 'zod';
import type { OutboundFetch } from '../../../kernel/outbound-http/create-outbound-fetch.ts';
import { parseJson } from '../../../kernel/text/parse-json.ts';
import { ClientError } from '../client-error.ts';
import type { ServerMetadata } from '../discovery/metadata.ts';
import type { Registration } from '../records.ts';

const answerSchema = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
});

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Registers this client (RFC 7591) as a native application with one redirect URI. It asks to be a public
 * client if the server has such, since a secret on a person's machine proves nothing. It parses the
 * answer itself: the library requires `client_secret_expires_at`, which real servers omit.
 *
 * Throws `CLIENT_ID_NEEDED` where the server registers nobody, and `REGISTRATION_REFUSED`.
 */
export async function register(options: {
  fetch: OutboundFetch;
  metadata: ServerMetadata;
  redirectUri: string;
  clientName: string;
  /** Opens registration at servers that do not register everyone. */
  registrationToken?: string | undefined;
  signal?: AbortSignal | undefined;
}): Promise<Registration> {
  const { fetch, metadata, redirectUri, clientName, registrationToken, signal } = options;
  const { issuer, registration_endpoint: endpoint } = metadata;
  if (endpoint === undefined) throw needClientId(issuer);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(registrationToken === undefined ? {} : { authorization: `Bearer ${registrationToken}` }),
    },
    body: JSON.stringify({
      client_name: clientName,
      application_type: 'native',
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: usableGrants(metadata),
      token_endpoint_auth_method: preferredMethod(metadata),
    }),
    signal,
  });
  const body: unknown = await response
    .text()
    .then(parseJson)
    .catch(() => undefined);
  const answer = response.ok ? answerSchema.safeParse(body) : undefined;
  if (answer?.success) {
    const { client_id, client_secret, token_endpoint_auth_method } = answer.data;
    return {
      clientId: client_id,
      ...(client_secret === undefined ? {} : { clientSecret: client_secret }),
      ...(token_endpoint_auth_method === undefined
        ? {}
        : { authenticationMethod: token_endpoint_auth_method }),
      redirectUri,
      isDynamic: true,
    };
  }
  // The default path does not exist, or registration is switched off: for a client both are the same.
  if ([401, 403, 404, 405, 501].includes(response.status)) throw needClientId(issuer);
  const { error, error_description } = (body ?? {}) as Record<string, unknown>; // shown, not trusted
  const said = [response.status, error, error_description].filter(Boolean).join(' ');
  throw new ClientError(
    'REGISTRATION_REFUSED',
    `${issuer} did not register this client (${said}): create a client there and give its id as clientId (TRADEWIND_CLIENT_ID).`,
    { details: { status: response.status, error } },
  );
}

/** Where neither registration nor settings give a client id, a person must. */
function needClientId(issuer: string): ClientError {
  return new ClientError(
    'CLIENT_ID_NEEDED',
    `${issuer} offers no dynamic client registration: ask its operator for a client id, and give it as clientId (TRADEWIND_CLIENT_ID, with TRADEWIND_CLIENT_SECRET if the client has a secret).`,
  );
}

function usableGrants({ grant_types_supported: supported }: ServerMetadata): string[] {
  const wanted = ['authorization_code', 'refresh_token'];
  if (supported === undefined) return wanted;
  return [...wanted, deviceGrant].filter((grant) => supported.includes(grant));
}

function preferredMethod({ token_endpoint_auth_methods_supported: accepted }: ServerMetadata) {
  const known = ['none', 'client_secret_basic', 'client_secret_post'];
  return known.find((method) => accepted?.includes(method)) ?? 'none';
}
