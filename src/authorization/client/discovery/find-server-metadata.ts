import { ClientError } from '../client-error.ts';
import { type ServerMetadata, serverMetadataSchema } from './metadata.ts';
import { type DocumentRequest, readDocument } from './read-document.ts';

const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';

/**
 * The metadata of the authorization server that a resource named: path-inserted, as OpenID
 * configuration, and as OpenID configuration behind the path (RFC 8414 sections 3 and 5). The issuer
 * in it must be the named one to the letter (section 3.3); throws `ISSUER_MISMATCH`.
 */
export async function findNamedServer(
  issuer: string,
  request: DocumentRequest,
): Promise<ServerMetadata | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = new Set([`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`]);
  for (const place of places) {
    const metadata = await readDocument(`${origin}${place}`, serverMetadataSchema, request);
    if (metadata === undefined) continue;
    if (metadata.issuer === issuer) return metadata;
    throw otherIssuer(origin);
  }
  return undefined;
}

/**
 * The metadata of the server at a base URL, for MCP servers that name no authorization server: first
 * at the root, whatever the server's path (revision 2025-03-26), then in the order of later revisions.
 * No document has named the issuer yet, so it may have a trailing slash or not; from then on it must
 * match exactly.
 */
export async function findBaseServer(
  serverUrl: URL,
  request: DocumentRequest,
): Promise<ServerMetadata | undefined> {
  const { origin } = serverUrl;
  const path = serverUrl.pathname.replace(/\/$/, '');
  const places: readonly (readonly [string, string])[] = [
    [oauth, ''],
    [openid, ''],
    [`${oauth}${path}`, path],
    [`${openid}${path}`, path],
    [`${path}${openid}`, path],
  ];
  const asked = new Set<string>();
  for (const [place, issuerPath] of places) {
    if (asked.has(place)) continue;
    asked.add(place);
    const metadata = await readDocument(`${origin}${place}`, serverMetadataSchema, request);
    if (metadata === undefined) continue;
    if (metadata.issuer.replace(/\/$/, '') === `${origin}${issuerPath}`) return metadata;
    throw otherIssuer(origin);
  }
  return undefined;
}

function otherIssuer(origin: string): ClientError {
  return new ClientError(
    'ISSUER_MISMATCH',
    `The metadata at ${origin} names another issuer, so it is not used: ask the operator of the server to correct the issuer.`,
  );
}
