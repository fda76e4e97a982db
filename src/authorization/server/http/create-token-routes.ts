import { type Context, Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';
import type { PathPolicy } from '../../../kernel/http/guard-path.ts';
import type { RateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { CheckProof } from '../../protocol/create-proof-check.ts';
import type { Client, FindClient, GrantType, KeepClient } from '../clients/client.ts';
import type { AuthenticateClient } from '../clients/create-client-authentication.ts';
import { readClientCredentials } from '../clients/read-client-credentials.ts';
import { parseGrantType } from '../grants/create-grant-handlers.ts';
import type { GrantHandler } from '../grants/token-request.ts';
import { endpointPaths } from '../metadata/endpoint-paths.ts';
import type { Introspection } from '../tokens/introspect-token.ts';
import type { PublicJwk } from '../tokens/signing-key.ts';
import { limitFailures } from './limit-failures.ts';
import { noStore } from './no-store.ts';
import { type Form, readForm } from './read-form.ts';
import { writeAuthorizationError } from './write-error.ts';

export type TokenRoutesOptions = {
  readonly issuer: string;
  readonly findClient: FindClient;
  readonly keepClient: KeepClient;
  readonly authenticateClient: AuthenticateClient;
  readonly checkProof: CheckProof;
  readonly handlers: Readonly<Record<GrantType, GrantHandler>>;
  readonly revoke: (client: Client, token: string) => Promise<void>;
  readonly introspect: (client: Client, token: string) => Promise<Introspection>;
  readonly publishedKeys: () => readonly PublicJwk[];
  /** Buckets of failures. */
  readonly limiter: RateLimiter;
};

/** Pages of any origin may call these: none of them looks at a cookie. */
export const tokenPaths: Readonly<Record<string, PathPolicy>> = {
  [endpointPaths.token]: { origins: 'any' },
  [endpointPaths.revoke]: { origins: 'any' },
  [endpointPaths.introspect]: { origins: 'any' },
  [endpointPaths.jwks]: { origins: 'any' },
};

/** Much shorter than the day by which a key is published before it signs. */
const keySetHeaders = {
  'Content-Type': 'application/jwk-set+json',
  'Cache-Control': 'public, max-age=300',
};

/** The endpoints that give, judge and take back tokens, and the keys to verify them. */
export function createTokenRoutes(options: TokenRoutesOptions): Hono<EdgeEnv> {
  const { issuer, findClient, keepClient, authenticateClient, checkProof, limiter } = options;
  const { handlers, revoke, introspect, publishedKeys } = options;
  const app = new Hono<EdgeEnv>();

  app.post(endpointPaths.token, (c) =>
    answer(c, async (form, client) => {
      const grantType = parseGrantType(form.get('grant_type'));
      if (!client.grantTypes.includes(grantType)) throw notAllowed(client, grantType);
      const dpopThumbprint = await readThumbprint(c, client);
      const tokens = await handlers[grantType]({ client, form, dpopThumbprint });
      if (client.isUnused) await keepClient(client.clientId);
      return c.json(tokens, 200, noStore);
    }),
  );
  app.post(endpointPaths.revoke, (c) =>
    answer(c, async (form, client) => {
      await revoke(client, requiredToken(form));
      return c.body(null, 200, noStore);
    }),
  );
  app.post(endpointPaths.introspect, (c) =>
    answer(c, async (form, client) =>
      c.json(await introspect(client, requiredToken(form)), 200, noStore),
    ),
  );
  app.get(endpointPaths.jwks, (c) =>
    c.body(JSON.stringify({ keys: publishedKeys() }), 200, keySetHeaders),
  );
  app.onError(writeAuthorizationError);
  return app;

  /** Reads the form and the client of a request, and counts its failure. */
  async function answer(
    c: Context<EdgeEnv>,
    work: (form: Form, client: Client) => Promise<Response>,
  ): Promise<Response> {
    const form = await readForm(c.req);
    const credentials = readClientCredentials(c.req.header('authorization'), form);
    const caller = c.get('caller').key;
    const { clientId } = credentials;
    return limitFailures({ limiter, findClient, caller, clientId }, async () =>
      work(form, await authenticateClient(credentials)),
    );
  }

  async function readThumbprint(c: Context<EdgeEnv>, client: Client): Promise<string | undefined> {
    const proof = c.req.header('dpop');
    if (proof !== undefined) {
      return checkProof(proof, { method: 'POST', url: issuer + endpointPaths.token });
    }
    if (!client.requiresDpop) return undefined;
    throw new AuthorizationError(
      'invalid_dpop_proof',
      'The client registered for tokens that are bound to a key: send a DPoP proof.',
    );
  }
}

function requiredToken(form: Form): string {
  const token = form.get('token');
  if (token !== undefined) return token;
  throw new AuthorizationError('invalid_request', 'The parameter "token" is missing: send it.');
}

function notAllowed({ grantTypes }: Client, grantType: GrantType): AuthorizationError {
  return new AuthorizationError(
    'unauthorized_client',
    `The client did not register for the grant ${grantType}, only for ${grantTypes.join(', ')}: register it for this one too.`,
  );
}
