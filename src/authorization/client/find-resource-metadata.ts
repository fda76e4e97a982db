import { ClientError } from './client-error.ts';
import { type ResourceMetadata, resourceMetadataSchema } from './metadata.ts';
import { type DocumentRequest, readDocument } from './read-document.ts';

/**
 * The protected resource metadata of a context server (RFC 9728): where the challenge says, else at the
 * path-inserted and then at the root well-known address. Absent for servers of revision 2025-03-26.
 *
 * Throws `RESOURCE_MISMATCH` when the document speaks of another resource (section 3.3).
 */
export async function findResourceMetadata(
  options: DocumentRequest & { serverUrl: URL; named: string | undefined },
): Promise<ResourceMetadata | undefined> {
  const { serverUrl, named } = options;
  const wellKnown = `${serverUrl.origin}/.well-known/oauth-protected-resource`;
  const path = serverUrl.pathname.replace(/\/$/, '');
  const places = new Set([
    ...(named === undefined ? [] : [named]),
    `${wellKnown}${path}`,
    wellKnown,
  ]);
  for (const place of places) {
    const document = await readDocument(place, resourceMetadataSchema, options);
    if (document === undefined) continue;
    if (!isAbout(document.resource, serverUrl)) {
      throw new ClientError(
        'RESOURCE_MISMATCH',
        `${serverUrl.origin} presents the metadata of another server, so no token is asked for: check the address, and ask whoever runs the server.`,
      );
    }
    return document;
  }
  return undefined;
}

/**
 * Whether a resource identifier stands for the server: the same origin, and a path that the server's
 * begins with, for one identifier may cover all of a host. A trailing slash makes no difference.
 */
export function isAbout(resource: string, serverUrl: URL): boolean {
  const url = URL.canParse(resource) ? new URL(resource) : undefined;
  if (url === undefined || url.origin !== serverUrl.origin) return false;
  return asFolder(serverUrl.pathname).startsWith(asFolder(url.pathname));
}

const asFolder = (path: string) => (path.endsWith('/') ? path : `${path}/`);
