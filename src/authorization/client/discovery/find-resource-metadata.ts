import { parseUrl } from '../../../kernel/text/parse-url.ts';
import { ClientError } from '../client-error.ts';
import { type ResourceMetadata, resourceMetadataSchema } from './metadata.ts';
import { type DocumentRequest, readDocument } from './read-document.ts';

/**
 * The protected resource metadata of an MCP server (RFC 9728): where the challenge says, else at the
 * path-inserted and then at the root well-known address. Absent for servers of revision 2025-03-26.
 * Where the server is a whole host and the challenge describes one path of it, the host's own counts.
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
    if (!isPart(document.resource, serverUrl)) throw mismatch(serverUrl);
    isPartFound = true;
  }
  if (isPartFound) throw mismatch(serverUrl);
  return undefined;
}

/** A path below the server: its challenge speaks for itself alone, so the server's own document is looked for. */
function isPart(resource: string, serverUrl: URL): boolean {
  const url = parseUrl(resource);
  return url !== undefined && isAbout(serverUrl.href, url);
}

function mismatch({ origin }: URL): ClientError {
  return new ClientError(
    'RESOURCE_MISMATCH',
    `${origin} presents the metadata of another server, so no token is asked for: check the address, and ask whoever runs the server.`,
  );
}

/**
 * Whether a resource identifier stands for the server: the same origin, and a path that the server's
 * begins with, for one identifier may cover all of a host. A trailing slash makes no difference.
 */
export function isAbout(resource: string, serverUrl: URL): boolean {
  const url = parseUrl(resource);
  if (url === undefined || url.origin !== serverUrl.origin) return false;
  return asFolder(serverUrl.pathname).startsWith(asFolder(url.pathname));
}

const asFolder = (path: string) => (path.endsWith('/') ? path : `${path}/`);
