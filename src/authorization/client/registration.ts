import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import { parseJson } from '../../kernel/text/json.ts';
import type { ClientContext } from './client-context.ts';
import { ClientError } from './client-error.ts';
import type { ServerMetadata } from './discover.ts';
import type { Registration } from './records.ts';

/**
 * The identity of this client at an authorization server, if it needs no new registration: the configured
 * credentials; else the built-in id, if this program belongs to the server; else the client's metadata document,
 * if the server reads such documents; else the stored registration. Throws as `bindSecret` for a secret of another
 * server.
 */
export async function findRegistration(
  context: ClientContext,
  metadata: ServerMetadata,
): Promise<Registration | undefined> {
  const { options, records, serverUrl } = context;
  const { issuer, client_id_metadata_document_supported } = metadata;
  const { clientId, clientSecret, clientMetadataUrl, builtInClientId } = options;
  if (clientId !== undefined) {
    if (clientSecret !== undefined) await bindSecret(context, { secret: clientSecret, issuer });
    return { clientId, ...(clientSecret === undefined ? {} : { clientSecret }), isDynamic: false };
  }
  // A built-in client works only for its own server, and only with a redirect to this machine.
  const isBuiltIn =
    builtInClientId !== undefined &&
    metadata.tradewind_native_clients?.includes(builtInClientId) === true &&
    new URL(issuer).origin === serverUrl.origin &&
    options.redirectUri === undefined;
  if (isBuiltIn) {
    return { clientId: builtInClientId, authenticationMethod: 'none', isDynamic: false };
  }
  if (clientMetadataUrl !== undefined && client_id_metadata_document_supported === true) {
    return { clientId: clientMetadataUrl, authenticationMethod: 'none', isDynamic: false };
  }
  return records.read('client', issuer);
}

/**
 * The registration that a grant belongs to: as it is known now, since configured credentials may have a newer secret
 * than the one that was used, else as it was when the grant was obtained.
 */
export async function findRegistrationOf(
  context: ClientContext,
  { metadata, client }: { readonly metadata: ServerMetadata; readonly client: Registration },
): Promise<{ readonly registration: Registration; readonly isKnown: boolean }> {
  const { clientId = client.clientId } = context.options;
  // Configured credentials of another client have nothing to do with this server.
  const known =
    clientId === client.clientId ? await findRegistration(context, metadata) : undefined;
  const isKnown = known?.clientId === client.clientId;
  return { registration: isKnown ? known : client, isKnown };
}

/**
 * Registers again and stores the registration; if the server has no registration, asks the person for a client id.
 */
export async function obtainRegistration(
  context: ClientContext,
  request: { metadata: ServerMetadata; redirectUri: string; signal?: AbortSignal | undefined },
): Promise<Registration> {
  const { options, records, fetch } = context;
  const { clientName = 'Tradewind client', registrationToken, askClientId } = options;
  const { issuer, registration_endpoint: endpoint } = request.metadata;
  if (registrationToken !== undefined && endpoint !== undefined) {
    await bindSecret(context, { secret: registrationToken, issuer });
  }
  const registration = await register({ ...request, fetch, clientName, registrationToken }).catch(
    async (error) => {
      const isNeeded = error instanceof ClientError && error.code === 'CLIENT_ID_NEEDED';
      if (!isNeeded || askClientId === undefined) throw error;
      return { ...(await askClientId(issuer)), isDynamic: false };
    },
  );
  await records.write('client', registration, issuer);
  return registration;
}

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
async function register(options: {
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

/**
 * Makes sure that a secret from the settings may go to an issuer: the configured one, else the first that it was used
 * at, which is stored (N24). So the documents of another server cannot lead it anywhere. Throws `ISSUER_MISMATCH`.
 */
async function bindSecret(
  { options, bindings }: Pick<ClientContext, 'options' | 'bindings'>,
  { secret, issuer }: { readonly secret: string; readonly issuer: string },
): Promise<void> {
  const { clientIssuer } = options;
  if (clientIssuer !== undefined) {
    if (!isSame(clientIssuer, issuer)) throw isForAnother(clientIssuer, issuer);
    return;
  }
  // The vault is sealed, and has only a hash of what the operator keeps elsewhere.
  const name = createHash('sha256').update(`${options.clientId}\n${secret}`).digest('base64url');
  await bindings.lock(`secret ${name}`, async () => {
    const bound = await bindings.read('secret', name);
    if (bound !== undefined) {
      if (!isSame(bound.issuer, issuer)) throw isForAnother(bound.issuer, issuer);
      return;
    }
    await bindings.write('secret', { issuer }, name).catch((cause: unknown) => {
      throw new ClientError(
        'UNSUPPORTED',
        `The client secret was not sent, since it cannot be stored that it is for ${issuer}: set TRADEWIND_CLIENT_ISSUER=${issuer} (clientIssuer) if it is.`,
        { cause },
      );
    });
  });
}

/** Issuers are compared to the letter, but people write an origin with and without a slash. */
function isSame(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function isForAnother(bound: string, issuer: string): ClientError {
  return new ClientError(
    'ISSUER_MISMATCH',
    `The client secret is for ${bound}, and this server names ${issuer} as its authorization server, so it was not sent: leave it out here (TRADEWIND_CLIENT_ID, TRADEWIND_CLIENT_SECRET), or set TRADEWIND_CLIENT_ISSUER=${issuer} (clientIssuer) if it is for that one.`,
  );
}
