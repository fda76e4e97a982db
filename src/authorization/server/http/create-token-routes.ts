import { type Context, Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';
import type { PathPolicy } from '../../../kernel/http/guard-path.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { CheckProof } from '../../protocol/create-proof-check.ts';
import type { Client, GrantType, KeepClient } from '../clients/client.ts';
import { parseGrantType } from '../grants/create-grant-handlers.ts';
import type { GrantHandler } from '../grants/token-request.ts';
import { endpointPaths } from '../metadata/endpoint-paths.ts';
import type { Introspection } from '../tokens/introspect-token.ts';
import type { PublicJwk } from '../tokens/signing-key.ts';
import type { AnswerClient } from './create-client-answers.ts';
import { noStore } from './no-store.ts';
import type { Form } from './read-form.ts';
import { writeAuthorizationError } from './write-error.ts';

export type TokenRoutesOptions = {
  readonly issuer: string;
  readonly keepClient: KeepClient;
  readonly answerClient: AnswerClient;
  readonly checkProof: CheckProof;
  readonly handlers: Readonly<Record<GrantType, GrantHandler>>;
  readonly revoke: (client: Client, token: string) => Promise<void>;
  readonly introspect: (client: Client, token: string) => Promise<Introspection>;
  readonly publishedKeys: () => readonly PublicJwk[];
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
  const { issuer, keepClient, answerClient, checkProof } = options;
  const { handlers, revoke, introspect, publishedKeys } = options;
  const app = new Hono<EdgeEnv>();

  app.post(endpointPaths.token, (c) =>
    answerClient(c, async (form, client) => {
      const grantType = parseGrantType(form.get('grant_type'));
      if (!client.grantTypes.includes(grantType)) throw notAllowed(client, grantType);
      const dpopThumbprint = await readThumbprint(c, client);
      const tokens = await handlers[grantType]({ client, form, dpopThumbprint });
      if (client.isUnused) await keepClient(client.clientId);
      return c.json(tokens, 200, noStore);
    }),
  );
  app.post(endpointPaths.revoke, (c) =>
    answerClient(c, async (form, client) => {
      await revoke(client, requiredToken(form));
      return c.body(null, 200, noStore);
    }),
  );
  app.post(endpointPaths.introspect, (c) =>
    answerClient(c, async (form, client) =>
      c.json(await introspect(client, requiredToken(form)), 200, noStore),
    ),
  );
  app.get(endpointPaths.jwks, (c) =>
    c.body(JSON.stringify({ keys: publishedKeys() }), 200, keySetHeaders),
  );
  app.onError(writeAuthorizationError);
  return app;

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
