import { Hono } from 'hono';
import { limitRate } from '../../../kernel/http/gate/limit-rate.ts';
import type { EdgeEnv } from '../../../kernel/http/mount/edge-env.ts';
import type { PathPolicy } from '../../../kernel/http/mount/path-policy.ts';
import { createRateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import { authorizationLimits } from '../../limits.ts';
import type { CheckProof } from '../../protocol/create-proof-check.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { AnswerAuthenticated } from '../clients/authentication/answer-authenticated.ts';
import { endpointPaths } from '../model/endpoint-paths.ts';
import type { ResourceRules } from './checks/check-resources.ts';
import { createAuthorizeRoutes } from './create-authorize-routes.ts';
import { createDeviceAuthorizationRoutes } from './create-device-authorization-routes.ts';
import type { Interactions } from './create-interactions.ts';
import { createInteractions, type InteractionOptions } from './create-interactions.ts';
import { createPushedRequestRoutes } from './create-pushed-request-routes.ts';
import { createPushedRequests } from './create-pushed-requests.ts';

export type RequestsOptions = InteractionOptions & {
  readonly resources: ResourceRules;
  readonly scopes: Scopes;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly checkProof: CheckProof;
};

/** The endpoints through which authorization requests arrive. */
export type Requests = { readonly app: Hono<EdgeEnv>; readonly interactions: Interactions };

/** Any page may call these: they read no cookie. `/authorize` belongs to the pages of people. */
export const requestPaths: Readonly<Record<string, PathPolicy>> = {
  [endpointPaths.pushedRequest]: { origins: 'any' },
  [endpointPaths.deviceAuthorization]: { origins: 'any' },
};

/** For each caller: as many as registrations, since each stores a request that waits. */
const requestsPerMinute = authorizationLimits.authorizationRequests.value;

/** Joins the ways in which requests arrive: by the browser, pushed beforehand, from a device. */
export function createRequests(options: RequestsOptions): Requests {
  const { database, clock } = options;
  const interactions = createInteractions(options);
  const policy = 'authorization-requests';
  const limiter = createRateLimiter({
    database,
    clock,
    name: policy,
    perMinute: requestsPerMinute,
  });
  const parts = {
    ...options,
    rules: options,
    interactions,
    pushedRequests: createPushedRequests(options),
    limit: limitRate({ limiter, policy, windowSeconds: 60 }),
  };
  const app = new Hono<EdgeEnv>();
  app.route('/', createAuthorizeRoutes(parts));
  app.route('/', createPushedRequestRoutes(parts));
  app.route('/', createDeviceAuthorizationRoutes(parts));
  return { app, interactions };
}
