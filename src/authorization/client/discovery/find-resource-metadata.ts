import { parseUrl } from '../../../kernel/text/parse-url.ts';
import { ClientError } from '../client-error.ts';
import { type ResourceMetadata, resourceMetadataSchema } from './metadata.ts';
import { type DocumentRequest, readDocument } from './read-document.ts';

/**
 * The protected resource metadata of an MCP server (RFC 9728): at the address in the challenge, else at the
 * path-inserted and then at the root well-known address. Absent for servers of revision 2025-03-26. If the server
 * is a whole host and the challenge describes one path of it, the host's own document counts.
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
  let isPartFound = false;
  for (const place of places) {
    const document = await readDocument(place, resourceMetadataSchema, options);
    if (document === undefined) continue;
    if (isAbout(document.resource, serverUrl)) return document;
    if (!isPart(document.resource, serverUrl)) throw otherServer(serverUrl);
    isPartFound = true;
  }
  if (isPartFound) throw otherServer(serverUrl);
  return undefined;
}

/** Whether a resource is a path below the server: then the client looks for the server's own document. */
function isPart(resource: string, serverUrl: URL): boolean {
  const url = parseUrl(resource);
  return url !== undefined && isAbout(serverUrl.href, url);
}

function otherServer({ origin }: URL): ClientError {
  return new ClientError(
    'RESOURCE_MISMATCH',
    `The resource metadata at ${origin} describes another server, so no token is requested: check the address, and ask the operator of the server.`,
  );
}

/**
 * Whether a resource identifier covers the server: the origins are equal, and the server's path begins with the
 * identifier's path, since one identifier may cover a whole host. A trailing slash makes no difference.
 */
export function isAbout(resource: string, serverUrl: URL): boolean {
  const url = parseUrl(resource);
  if (url === undefined || url.origin !== serverUrl.origin) return false;
  return asFolder(serverUrl.pathname).startsWith(asFolder(url.pathname));
}

const asFolder = (path: string) => (path.endsWith('/') ? path : `${path}/`);
