import type { Clock } from '../../../kernel/clock.ts';
import type { ClientStore } from '../store/client-store.ts';
import type { FindClient } from './client.ts';
import { isClientDocumentUrl } from './client-from-document.ts';
import type { ClientDocuments } from './create-client-documents.ts';

/** Finds clients in the store or, where documents are accepted, behind the address that is their id. */
export function createFindClient(options: {
  readonly store: Pick<ClientStore, 'find'>;
  readonly documents: ClientDocuments | undefined;
  readonly clock: Clock;
}): FindClient {
  const { store, documents, clock } = options;
  return async (clientId) => {
    if (documents !== undefined && isClientDocumentUrl(clientId)) return documents.find(clientId);
    return (await store.find(clientId, clock.now()))?.client;
  };
}
