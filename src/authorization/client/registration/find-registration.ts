import type { ClientContext } from '../client-context.ts';
import { ClientError } from '../client-error.ts';
import type { ServerMetadata } from '../discovery/metadata.ts';
import type { Registration } from '../records.ts';
import { bindSecret } from './bind-secret.ts';
import { register } from './register.ts';

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
