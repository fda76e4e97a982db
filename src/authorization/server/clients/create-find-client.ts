import type { Clock } from '../../../kernel/time/clock.ts';
import type { FindClient } from '../model/client.ts';
import type { BuiltInClients } from './built-in-clients.ts';
import { isClientDocumentUrl } from './client-from-document.ts';
import type { ClientDocuments } from './create-client-documents.ts';
import type { RememberedClients } from './remember-clients.ts';

/** Finds clients among those built in, in the store or, where documents are accepted, behind the address that is their id. */
export function createFindClient(options: {
  readonly builtIn: BuiltInClients;
  readonly remembered: Pick<RememberedClients, 'recall'>;
  readonly documents: ClientDocuments | undefined;
  readonly clock: Clock;
}): FindClient {
  const { builtIn, remembered, documents, clock } = options;
  return async (clientId) => {
    if (documents !== undefined && isClientDocumentUrl(clientId)) return documents.find(clientId);
    return builtIn.find(clientId) ?? (await remembered.recall(clientId, clock.now()))?.client;
  };
}
