import type { ClientContext } from '../client-context.ts';
import { ClientError } from '../client-error.ts';
import type { ServerMetadata } from '../discovery/metadata.ts';
import type { Registration } from '../records.ts';
import { register } from './register.ts';

/**
 * The identity of this client at an authorization server, if it needs no new registration: the configured
 * credentials; else the built-in id, if this program belongs to the server; else the client's metadata document,
 * if the server reads such documents; else the stored registration.
 */
export async function findRegistration(
  { options, records, serverUrl }: ClientContext,
  metadata: ServerMetadata,
): Promise<Registration | undefined> {
  const { issuer, client_id_metadata_document_supported } = metadata;
  const { clientId, clientSecret, clientMetadataUrl, builtInClientId } = options;
  if (clientId !== undefined) {
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
 * Registers again and stores the registration; if the server has no registration, asks the person for a client id.
 */
export async function obtainRegistration(
  { options, records, fetch }: ClientContext,
  request: { metadata: ServerMetadata; redirectUri: string; signal?: AbortSignal | undefined },
): Promise<Registration> {
  const { clientName = 'Tradewind client', registrationToken, askClientId } = options;
  const { issuer } = request.metadata;
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
