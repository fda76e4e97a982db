import { createSealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import { foreignPages } from '../../kernel/http/gate/origins/foreign-pages.ts';
import { addressOf } from '../../kernel/http/messages/request-address.ts';
import type { Endpoint } from '../../kernel/http/mount/endpoint.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { OutboundHttp } from '../../kernel/outbound-http/create-outbound-http.ts';
import type { Random } from '../../kernel/random/random.ts';
import { createRateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { createLocalGuard } from '../guard/create-local-guard.ts';
import type { Guard } from '../guard/principal.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';
import { type CheckProof, createProofCheck } from '../protocol/create-proof-check.ts';
import type { Scopes } from '../protocol/scope.ts';
import {
  type AnswerAuthenticated,
  createAuthenticatedAnswers,
} from './clients/authentication/answer-authenticated.ts';
import { createAssertionCheck } from './clients/authentication/create-assertion-check.ts';
import { createClientAuthentication } from './clients/authentication/create-client-authentication.ts';
import { createClientKeySets } from './clients/authentication/create-client-key-sets.ts';
import { noteClientUses } from './clients/note-client-uses.ts';
import type { DeviceCodes } from './grants/create-device-codes.ts';
import { createDeviceCodes } from './grants/create-device-codes.ts';
import { createGrantHandlers } from './grants/create-grant-handlers.ts';
import type { Grants } from './grants/create-grants.ts';
import { createGrants } from './grants/create-grants.ts';
import type { FindClient, KeepClient } from './model/client.ts';
import { endpointPaths } from './model/endpoint-paths.ts';
import { observeTokens } from './observe-tokens.ts';
import { createTokenPruner } from './store/create-token-pruner.ts';
import { createTokenEndpoints } from './token-endpoints/create-token-endpoints.ts';
import { introspectToken } from './token-endpoints/introspect-token.ts';
import { revokeToken } from './token-endpoints/revoke-token.ts';
import { createAccessTokens } from './tokens/create-access-tokens.ts';
import { createSpendId } from './tokens/create-spend-id.ts';
import { openRevocations } from './tokens/open-revocations.ts';
import { openSigningKeys, type SigningKeys } from './tokens/open-signing-keys.ts';

export type TokensOptions = {
  readonly publicUrl: URL;
  /** Origins, beside our own, whose pages are trusted like ours. */
  readonly allowedOrigins?: readonly string[];
  readonly scopes: Scopes;
  /** Paths of this server that require a token, such as `/mcp`. */
  readonly protectedPaths: readonly string[];
  /** Addresses of other servers that tokens may be for, as `parseResource` spells them. */
  readonly foreignResources: () => readonly string[];
  /** In milliseconds. */
  readonly accessTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly outbound: OutboundHttp;
  readonly findClient: FindClient;
  readonly keepClient: KeepClient;
  /** Whether a session at the identity provider is still valid (S14). */
  readonly isSessionAlive: (sessionId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure?: (error: unknown) => void;
  readonly metrics?: Metrics;
};

/** Everything that issues, verifies and revokes tokens. */
export type Tokens = {
  /** `/token`, `/revoke`, `/introspect` and `/jwks`. */
  readonly endpoints: readonly Endpoint[];
  readonly grants: Grants;
  readonly deviceCodes: DeviceCodes;
  readonly guard: Guard;
  readonly keys: SigningKeys;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly checkProof: CheckProof;
  readonly workers: readonly Worker[];
};

/** More wrong requests a minute than a misconfigured client makes, far fewer than guessing needs (R6). */
const failuresPerMinute = authorizationLimits.clientFailures.value;

/** Joins the parts that deal with tokens. Throws `SealError` under another master key than before. */
export async function openTokens(options: TokensOptions): Promise<Tokens> {
  const { publicUrl, database, masterKey, clock, random, findClient, isSessionAlive } = options;
  const issuer = publicUrl.origin;
  const tokenEndpoint = issuer + endpointPaths.token;
  const resources = () => [issuer, ...options.foreignResources()];

  const sealer = createSealer({ masterKey, purpose: 'signing-keys', random });
  const keys = await openSigningKeys({ ...options, sealer });
  const revocations = await openRevocations(options);
  const lifetime = options.accessTokenLifetime;
  const accessTokens = createAccessTokens({ issuer, keys, revocations, lifetime, clock, random });
  const grants = createGrants({ database, revocations, clock, random });
  const spendId = createSpendId({ database, clock });
  const checkProof = createProofCheck({ spendId, clock });

  const authenticateClient = createClientAuthentication({
    findClient,
    checkAssertion: createAssertionCheck({
      audiences: [issuer, tokenEndpoint],
      keysAt: createClientKeySets(options.outbound),
      spendId,
      clock,
    }),
  });
  const answerAuthenticated = createAuthenticatedAnswers({
    findClient,
    authenticateClient,
    limiter: createRateLimiter({
      database,
      clock,
      name: 'token-failures',
      perMinute: failuresPerMinute,
    }),
  });
  const { onFailure = () => {} } = options;
  const uses = noteClientUses({ database, clock, onFailure });
  const endpoints = createTokenEndpoints({
    ...options,
    noteUse: uses.note,
    issuer,
    answerAuthenticated,
    checkProof,
    handlers: createGrantHandlers({ ...options, issuer, resources, grants, accessTokens }),
    revoke: revokeToken({ database, accessTokens, grants, revocations, clock }),
    introspect: introspectToken({ ...options, issuer, resources, accessTokens }),
    publishedKeys: keys.published,
    observe: options.metrics && observeTokens(options.metrics),
  });
  const isForeignPage = foreignPages(options);
  const guard = createLocalGuard({
    publicUrl,
    paths: options.protectedPaths,
    read: accessTokens.read,
    isLive: (claims) => accessTokens.isLive(claims) && isSessionLive(claims),
    onRevoked: revocations.onRevoked,
    checkProof,
    isForeignPage: ({ url, headers }) =>
      isForeignPage({ address: addressOf(url), header: (name) => headers.get(name) ?? undefined }),
    clock,
  });
  const workers = [keys.worker, revocations.worker, uses.worker, createTokenPruner(options)];
  const deviceCodes = createDeviceCodes({ clock, random });
  return { endpoints, grants, deviceCodes, guard, keys, answerAuthenticated, checkProof, workers };

  function isSessionLive({ sid }: AccessTokenClaims): boolean | Promise<boolean> {
    return sid === undefined || isSessionAlive(sid);
  }
}
