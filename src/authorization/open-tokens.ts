import { createSealer } from '../kernel/crypto/sealer.ts';
import type { Database } from '../kernel/database/database.ts';
import { foreignPages } from '../kernel/edge/gate/origins.ts';
import type { Endpoint } from '../kernel/edge/mount.ts';
import { createRateLimiter } from '../kernel/edge/rate-limiter.ts';
import { addressOf } from '../kernel/edge/request.ts';
import type { Random } from '../kernel/model/random.ts';
import type { OutboundHttp } from '../kernel/outbound/outbound-http.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import {
  type AnswerAuthenticated,
  createAuthenticatedAnswers,
} from './clients/answer-authenticated.ts';
import {
  createAssertionCheck,
  createClientAuthentication,
  createClientKeySets,
} from './clients/client-authentication.ts';
import { noteClientUses } from './clients/client-uses.ts';
import { createGrantHandlers } from './grants/grant-handlers.ts';
import { createGrants, type Grants } from './grants/grants.ts';
import { createDeviceCodes, type DeviceCodes } from './grants/redeem-device-code.ts';
import { createSpendId } from './grants/spend-id.ts';
import { createLocalGuard } from './guard/local-guard.ts';
import type { Guard } from './guard/principal.ts';
import { endpointPaths } from './http/endpoint-paths.ts';
import { createAccessTokens } from './keys/access-tokens.ts';
import { openRevocations } from './keys/revocations.ts';
import { openSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { authorizationLimits } from './limits.ts';
import type { SessionStatus } from './model/account.ts';
import type { FindClient, KeepClient } from './model/client.ts';
import type { AccessTokenClaims } from './protocol/access-token.ts';
import { type CheckProof, createProofCheck } from './protocol/dpop-proof.ts';
import type { Scopes } from './protocol/scope.ts';
import { introspectToken } from './requests/introspect-token.ts';
import { revokeToken } from './requests/revoke-token.ts';
import { createTokenEndpoints, observeTokens } from './requests/token-endpoints.ts';
import { createTokenPruner } from './store/pruners.ts';

type TokensOptions = {
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
  /** What is known of sessions at the identity provider (S14), from the first request on. */
  readonly sessionStatus: () => Pick<SessionStatus, 'isAlive' | 'watch'>;
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
  const { publicUrl, database, masterKey, clock, random, findClient, sessionStatus } = options;
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
    onRevoked,
    checkProof,
    isForeignPage: ({ url, headers }) =>
      isForeignPage({ address: addressOf(url), header: (name) => headers.get(name) ?? undefined }),
    clock,
  });
  const workers = [keys.worker, revocations.worker, uses.worker, createTokenPruner(options)];
  const deviceCodes = createDeviceCodes({ clock, random });
  return { endpoints, grants, deviceCodes, guard, keys, answerAuthenticated, checkProof, workers };

  /** Also for a session at the identity provider that ended, which the server itself asks about (F85). */
  function onRevoked(claims: AccessTokenClaims, callback: () => void): () => void {
    const stopWaiting = revocations.onRevoked(claims, callback);
    if (claims.sid === undefined) return stopWaiting;
    const stopWatching = sessionStatus().watch(claims.sid, callback);
    return () => {
      stopWaiting();
      stopWatching();
    };
  }

  function isSessionLive({ sid }: AccessTokenClaims): boolean | Promise<boolean> {
    return sid === undefined || sessionStatus().isAlive(sid);
  }
}
