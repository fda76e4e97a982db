import { Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';
import type { PathPolicy } from '../../../kernel/http/guard-path.ts';
import { originUsed } from '../../protocol/resource.ts';
import { describeAuthorizationServer } from './describe-authorization-server.ts';
import { describeProtectedResource } from './describe-protected-resource.ts';
import type { ProtectedResource } from './protected-resource.ts';
import { readProtocolVersion } from './read-protocol-version.ts';

export type MetadataOptions = {
  readonly issuer: string;
  readonly canRegister: boolean;
  readonly resources: readonly ProtectedResource[];
  /** Whether the metadata of the authorization server is served; without it clients use the default paths. */
  readonly isServed: boolean;
};

export const metadataPaths: Readonly<Record<string, PathPolicy>> = {
  '/.well-known/oauth-authorization-server/*': { origins: 'any' },
  '/.well-known/openid-configuration/*': { origins: 'any' },
  '/.well-known/oauth-protected-resource/*': { origins: 'any' },
};

/** The first revision of the context protocol that knows client ids which are URLs of documents. */
const documentsSince = '2025-11-25';

/**
 * The documents by which clients find everything else. That of the authorization server stands at the
 * root and at every address that later revisions of the protocol derive from a server's path; its
 * issuer is the same in each. All are written once, at the start, but for a resource that is called by
 * another name of this machine: clients compare its address with the one they used.
 */
export function createMetadataRoutes(options: MetadataOptions): Hono<EdgeEnv> {
  const { issuer, resources, isServed } = options;
  const app = new Hono<EdgeEnv>();

  const late = describeAuthorizationServer({
    ...options,
    resources: [issuer, ...resources.map(({ path }) => `${issuer}${path}`)],
  });
  const early = { ...late, client_id_metadata_document_supported: undefined };
  // OpenID Connect Discovery section 3 requires these of a document at its address.
  const openId = {
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
  };
  const serve = (path: string, extra: object) => {
    const [earlyText, lateText] = [early, late].map((document) =>
      JSON.stringify({ ...document, ...extra }),
    );
    const headers = { ...documentHeaders, Vary: 'Ctx-Protocol-Version, MCP-Protocol-Version' };
    app.get(path, (c) => {
      const version = readProtocolVersion(c.req.raw.headers);
      const isEarly = version !== undefined && version < documentsSince;
      return c.body((isEarly ? earlyText : lateText) ?? '', 200, headers);
    });
  };
  if (isServed) {
    serve('/.well-known/oauth-authorization-server/*', {});
    serve('/.well-known/openid-configuration/*', openId);
  }

  const wellKnown = '/.well-known/oauth-protected-resource';
  for (const resource of [undefined, ...resources]) {
    const describe = (origin: string) =>
      JSON.stringify(describeProtectedResource({ issuer, origin, resource }));
    const own = describe(issuer);
    const path = `${wellKnown}${resource?.path ?? ''}`;
    for (const spelling of [path, `${path}/`]) {
      app.get(spelling, (c) => {
        const origin = originUsed(new URL(c.req.url), issuer);
        return c.body(origin === issuer ? own : describe(origin), 200, documentHeaders);
      });
    }
  }
  return app;
}

/** An hour: clients ask at each start, and an operator's change is known soon enough. */
const documentHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=3600',
};
