import type { Answer } from '../kernel/edge/answer.ts';
import type { Endpoint } from '../kernel/edge/mount.ts';
import type { PathPolicy } from '../kernel/edge/paths.ts';
import type { EdgeRequest } from '../kernel/edge/request.ts';
import { endpointPaths } from './http/endpoint-paths.ts';
import { clientAuthentications, grantTypes } from './model/client.ts';
import { signingAlgorithms } from './protocol/dpop-proof.ts';
import { originUsed } from './protocol/resource.ts';
import type { Scope, Scopes } from './protocol/scope.ts';

export type MetadataOptions = {
  readonly issuer: string;
  readonly canRegister: boolean;
  readonly resources: readonly ProtectedResource[];
  readonly scopes: Scopes;
  /** Native programs that belong to this server, which need no registration. */
  readonly nativeClients?: readonly string[] | undefined;
  /** Other servers that tokens may be for, and a version that increases when these or the scopes change. */
  readonly added?: { addresses(): readonly string[]; version(): number };
  /** Whether the metadata of the authorization server is served; without it clients use the default paths. */
  readonly isServed: boolean;
};

export const metadataPaths: Readonly<Record<string, PathPolicy>> = {
  '/.well-known/oauth-authorization-server/*': { origins: 'any' },
  '/.well-known/openid-configuration/*': { origins: 'any' },
  '/.well-known/oauth-protected-resource/*': { origins: 'any' },
};

/** The first revision of MCP that knows client ids which are URLs of documents. */
const documentsSince = '2025-11-25';

/**
 * The documents in which clients find everything else. The metadata of the authorization server is at the root and at
 * every address that later revisions of the protocol derive from a server's path, with the same issuer in each. It is
 * written once, and again after a change of scopes. The document of a resource is written for each request that calls
 * it by another name of this machine: clients compare its address with the one they used.
 */
export function createMetadataEndpoints(options: MetadataOptions): readonly Endpoint[] {
  const { issuer, resources, scopes, isServed, added = nothingAdded } = options;
  const own = [issuer, ...resources.map(({ path }) => `${issuer}${path}`)];
  // OpenID Connect Discovery section 3 requires these of a document at its address.
  const openId = {
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'EdDSA'],
  };
  const serverAt = (path: string, extra: object): Endpoint => {
    const headers = { ...documentHeaders, Vary: 'Ctx-Protocol-Version, MCP-Protocol-Version' };
    const write = () => {
      const late = describeAuthorizationServer({
        ...options,
        resources: [...own, ...added.addresses()],
      });
      const early = { ...late, client_id_metadata_document_supported: undefined };
      return {
        version: added.version(),
        early: document({ ...early, ...extra }, headers),
        late: document({ ...late, ...extra }, headers),
      };
    };
    let written = write();
    return get(path, (request) => {
      if (written.version !== added.version()) written = write();
      const version = readProtocolVersion(request);
      return version !== undefined && version < documentsSince ? written.early : written.late;
    });
  };
  const resourceAt = (path: string, resource: ProtectedResource | undefined): Endpoint => {
    const describe = (origin: string) =>
      document(describeProtectedResource({ issuer, origin, resource, scopes }), documentHeaders);
    const own = describe(issuer);
    return get(path, ({ address }) => {
      const origin = originUsed(address, issuer);
      return origin === issuer ? own : describe(origin);
    });
  };

  const wellKnown = '/.well-known/oauth-protected-resource';
  return [
    ...(isServed
      ? [
          serverAt('/.well-known/oauth-authorization-server/*', {}),
          serverAt('/.well-known/openid-configuration/*', openId),
        ]
      : []),
    ...[undefined, ...resources].flatMap((resource) => {
      const path = `${wellKnown}${resource?.path ?? ''}`;
      return [resourceAt(path, resource), resourceAt(`${path}/`, resource)];
    }),
  ];
}

function get(path: string, answer: (request: EdgeRequest) => Answer): Endpoint {
  return { method: 'GET', path, answer: ({ request }) => answer(request) };
}

function document(content: object, headers: Answer['headers']): Answer {
  return { status: 200, headers, body: JSON.stringify(content) };
}

const nothingAdded = { addresses: () => [], version: () => 0 };

/** An hour: clients ask at each start, and an operator's change is known soon enough. */
const documentHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=3600',
};

/** A path of this server that requires a token. */
export type ProtectedResource = {
  /** Where it is, such as `/mcp`. */
  readonly path: string;
  /** What people call it. */
  readonly name: string;
  /** The scopes that mean something there. */
  readonly scope: readonly Scope[];
};

/**
 * The metadata of this authorization server (RFC 8414 section 2, with the members that later standards
 * add). Registration and client documents are left out where only the operator makes clients.
 */
function describeAuthorizationServer(options: {
  readonly issuer: string;
  readonly canRegister: boolean;
  readonly scopes: Scopes;
  /** Addresses that its tokens are for (RFC 9728 section 4). */
  readonly resources: readonly string[];
  /** Native programs that belong to this server, which need no registration. */
  readonly nativeClients?: readonly string[] | undefined;
}) {
  const { issuer, canRegister, scopes, resources, nativeClients = [] } = options;
  const at = (path: string) => `${issuer}${path}`;
  const confidential = clientAuthentications.filter((method) => method !== 'none');
  return {
    issuer,
    authorization_endpoint: at(endpointPaths.authorize),
    token_endpoint: at(endpointPaths.token),
    ...(canRegister ? { registration_endpoint: at(endpointPaths.register) } : {}),
    revocation_endpoint: at(endpointPaths.revoke),
    introspection_endpoint: at(endpointPaths.introspect),
    jwks_uri: at(endpointPaths.jwks),
    pushed_authorization_request_endpoint: at(endpointPaths.pushedRequest),
    device_authorization_endpoint: at(endpointPaths.deviceAuthorization),
    scopes_supported: scopes.names(),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: clientAuthentications,
    token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthentications,
    introspection_endpoint_auth_methods_supported: confidential,
    dpop_signing_alg_values_supported: signingAlgorithms,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    authorization_response_iss_parameter_supported: true,
    ...(canRegister ? { client_id_metadata_document_supported: true } : {}),
    protected_resources: resources,
    ...(nativeClients.length === 0 ? {} : { tradewind_native_clients: nativeClients }),
  };
}

/** The metadata of a path that requires a token, or of the whole origin (RFC 9728 section 2). */
function describeProtectedResource(options: {
  readonly issuer: string;
  /** The origin by which the client calls the server. */
  readonly origin: string;
  readonly resource: ProtectedResource | undefined;
  readonly scopes: Scopes;
}) {
  const { issuer, origin, resource, scopes } = options;
  return {
    resource: `${origin}${resource?.path ?? ''}`,
    authorization_servers: [issuer],
    scopes_supported: resource?.scope ?? scopes.ownNames(),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: signingAlgorithms,
    resource_name: resource?.name ?? 'Tradewind',
  };
}

const knownVersion = /^20\d\d-\d\d-\d\d$/;

/**
 * The revision of MCP that a client speaks, under either of the names that clients
 * use for the header; `undefined` where there is none or it is no date. Revisions compare as texts.
 */
function readProtocolVersion(request: Pick<EdgeRequest, 'header'>): string | undefined {
  const version = request.header('ctx-protocol-version') ?? request.header('mcp-protocol-version');
  return version !== undefined && knownVersion.test(version) ? version : undefined;
}
