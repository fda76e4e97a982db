import type { Answer } from '../../../kernel/http/messages/answer.ts';
import type { EdgeRequest } from '../../../kernel/http/messages/edge-request.ts';
import type { Endpoint } from '../../../kernel/http/mount/endpoint.ts';
import type { PathPolicy } from '../../../kernel/http/mount/path-policy.ts';
import { originUsed } from '../../protocol/resource.ts';
import type { Scopes } from '../../protocol/scope.ts';
import { describeAuthorizationServer } from './describe-authorization-server.ts';
import { describeProtectedResource } from './describe-protected-resource.ts';
import type { ProtectedResource } from './protected-resource.ts';
import { readProtocolVersion } from './read-protocol-version.ts';

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
