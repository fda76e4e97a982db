import { z } from 'zod';
import type { OutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import { parseJson } from '../../kernel/text/json.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import { authorizationBaseUrl } from '../protocol/base-url.ts';
import { ClientError } from './client-error.ts';
import { checkUrl } from './discovery-fetch.ts';

/** The result of discovery: what is known about getting a token for an MCP server. */
export type Discovery = {
  readonly metadata: ServerMetadata;
  /** The identifier to send as `resource` (RFC 8707), exactly as published; absent for servers without one. */
  readonly resource?: string | undefined;
  readonly scopesSupported?: readonly string[] | undefined;
  readonly isDpopRequired: boolean;
};

const usedEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const;

/**
 * Finds the authorization server of an MCP server. Documents come first, in the orders of every
 * revision; the default paths `/authorize`, `/token` and `/register` are used only where there is none.
 * Every endpoint is checked before it is returned.
 *
 * Throws `ISSUER_MISMATCH`, `RESOURCE_MISMATCH`, `INVALID_ANSWER`, `UNSAFE_URL`, `INSECURE_URL`,
 * `ADDRESS_REFUSED` and `UNREACHABLE`.
 */
export async function discover(
  options: DocumentRequest & { serverUrl: URL; resourceMetadata?: string | undefined },
): Promise<Discovery> {
  const { serverUrl, resourceMetadata } = options;
  const resource = await findResourceMetadata({ ...options, named: resourceMetadata });
  const metadata = await findServer(resource?.authorization_servers ?? [], options);
  for (const name of usedEndpoints) {
    const endpoint = metadata[name];
    if (endpoint !== undefined) checkUrl(endpoint, name);
  }
  return {
    metadata,
    resource: resource?.resource,
    scopesSupported: resource?.scopes_supported,
    isDpopRequired: resource?.dpop_bound_access_tokens_required === true,
  };

  async function findServer(issuers: readonly string[], request: typeof options) {
    for (const issuer of issuers) {
      checkUrl(issuer, 'authorization server');
      const found = await findNamedServer(issuer, request);
      if (found !== undefined) return found;
    }
    const [named] = issuers;
    if (named !== undefined) return atDefaultPaths(named);
    return (await findBaseServer(serverUrl, request)) ?? atDefaultPaths(serverUrl.origin);
  }
}

function atDefaultPaths(issuer: string): ServerMetadata {
  const base = authorizationBaseUrl(issuer);
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
  };
}

/**
 * The protected resource metadata of an MCP server (RFC 9728): at the address in the challenge, else at the
 * path-inserted and then at the root well-known address. Absent for servers of revision 2025-03-26. If the server
 * is a whole host and the challenge describes one path of it, the host's own document counts.
 *
 * Throws `RESOURCE_MISMATCH` when the document speaks of another resource (section 3.3).
 */
async function findResourceMetadata(
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

const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';

/**
 * The metadata of the authorization server that a resource named: path-inserted, as OpenID
 * configuration, and as OpenID configuration behind the path (RFC 8414 sections 3 and 5). The issuer
 * in it must be the named one to the letter (section 3.3); throws `ISSUER_MISMATCH`.
 */
async function findNamedServer(
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
async function findBaseServer(
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

type DocumentRequest = {
  readonly fetch: OutboundFetch;
  /** Of MCP; servers may answer each version differently. */
  readonly protocolVersion: string;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads a metadata document, or `undefined` where the server has none: an answer in the 300s and 400s, or
 * something that is no JSON object, such as the page that some servers answer for every path. Both names
 * of the version header are sent: `Ctx-Protocol-Version`, and the one that servers in the field read.
 *
 * Throws `UNREACHABLE` for an answer in the 500s, which says nothing about the document, and
 * `INVALID_ANSWER` for a document that lacks what it must have.
 */
async function readDocument<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  { fetch, protocolVersion, signal }: DocumentRequest,
): Promise<z.output<Schema> | undefined> {
  const response = await fetch(url, {
    headers: {
      accept: 'application/json',
      'ctx-protocol-version': protocolVersion,
      'mcp-protocol-version': protocolVersion,
    },
    signal,
  });
  const { origin, pathname } = new URL(url);
  if (response.status >= 500) {
    throw new ClientError(
      'UNREACHABLE',
      `${origin}${pathname} answers ${response.status}: try again, or ask the operator of the server.`,
    );
  }
  if (!response.ok) return undefined;
  const body: unknown = await response
    .text()
    .then(parseJson)
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null) return undefined;
  const document = schema.safeParse(body);
  if (document.success) return document.data;
  const [problem] = document.error.issues;
  const where = problem?.path.join('.') || 'the document';
  throw new ClientError(
    'INVALID_ANSWER',
    `The document at ${origin}${pathname} is invalid (${where}: ${problem?.message}): ask the operator of the server to correct it.`,
  );
}

const words = z.array(z.string()).optional().catch(undefined);
const address = z.string().optional();

/** What the client reads of authorization server metadata (RFC 8414 section 2); all else is kept as it came. */
export const serverMetadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: z.string(),
  registration_endpoint: address,
  revocation_endpoint: address,
  device_authorization_endpoint: address,
  scopes_supported: words,
  grant_types_supported: words,
  token_endpoint_auth_methods_supported: words,
  code_challenge_methods_supported: words,
  dpop_signing_alg_values_supported: words,
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
  tradewind_native_clients: words,
});

export type ServerMetadata = z.output<typeof serverMetadataSchema>;

/** What the client reads of protected resource metadata (RFC 9728 section 2). */
const resourceMetadataSchema = z.looseObject({
  resource: z.string(),
  authorization_servers: words,
  scopes_supported: words,
  dpop_bound_access_tokens_required: z.boolean().optional().catch(undefined),
});

type ResourceMetadata = z.output<typeof resourceMetadataSchema>;
