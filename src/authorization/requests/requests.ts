import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { limitRate } from '../../kernel/edge/limit-rate.ts';
import { callOf, type EdgeEnv } from '../../kernel/edge/mount.ts';
import type { PathPolicy } from '../../kernel/edge/paths.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError, asciiText, authorizationErrorStatus } from '../authorization-error.ts';
import type { AnswerAuthenticated } from '../clients/answer-authenticated.ts';
import { noStore, seeOther } from '../http/answers.ts';
import { endpointPaths } from '../http/endpoint-paths.ts';
import { messagePage } from '../http/error-page.ts';
import { authorizationLimits } from '../limits.ts';
import type { CheckProof } from '../protocol/dpop-proof.ts';
import { type Form, parseForm, readForm } from '../protocol/form.ts';
import type { Scopes } from '../protocol/scope.ts';
import { checkAccess, type ResourceRules } from './check-access.ts';
import { checkRequest, type RequestRules } from './check-request.ts';
import {
  answerUrl,
  createInteractions,
  type InteractionOptions,
  type Interactions,
} from './interactions.ts';
import {
  createPushedRequestRoutes,
  createPushedRequests,
  type PushedRequests,
} from './pushed-requests.ts';

type RequestsOptions = InteractionOptions & {
  readonly resources: ResourceRules;
  readonly scopes: Scopes;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly checkProof: CheckProof;
};

/** The endpoints through which authorization requests arrive. */
type Requests = { readonly app: Hono<EdgeEnv>; readonly interactions: Interactions };

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

/** Characters that show nothing, or move those beside them. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const longestName = 80;

type AuthorizeRouteOptions = {
  readonly issuer: string;
  readonly rules: RequestRules;
  readonly interactions: Pick<Interactions, 'begin'>;
  readonly pushedRequests: Pick<PushedRequests, 'take'>;
  readonly limit: MiddlewareHandler<EdgeEnv>;
};

/**
 * `GET` and `POST /authorize`. A request that passes every check waits for a person at a page of its
 * own, to which the browser is redirected with a 303. A request that fails is answered by a page. If the
 * redirect URI is the client's own, the person may go back to the client from there; by automatic
 * redirects, anyone who registers could send people anywhere under our name (RFC 9700 section 4.11.2).
 * If the operator made the client, the browser is redirected at once.
 */
function createAuthorizeRoutes(options: AuthorizeRouteOptions): Hono<EdgeEnv> {
  const { issuer, rules, interactions, pushedRequests, limit } = options;
  const app = new Hono<EdgeEnv>();
  const path = endpointPaths.authorize;

  const answer = async (c: Context<EdgeEnv>, form: Form) => {
    const request = await checkRequest(await pushedRequests.take(form), rules);
    const id = await interactions.begin(request, c.get('context').caller.key);
    return seeOther(c, `${path}/${id}`);
  };
  app.get(path, limit, (c) => answer(c, parseForm(c.get('context').request.address.query)));
  app.post(path, limit, async (c) =>
    answer(c, readForm(c.req.header('content-type'), await c.req.text())),
  );

  app.onError((error, c) => {
    if (!(error instanceof AuthorizationError)) throw error;
    const { code, message, redirect } = error;
    if (redirect === undefined) {
      // 401 would ask the browser for credentials that it does not have.
      const status = code === 'invalid_client' ? 400 : authorizationErrorStatus[code];
      return messagePage({ title: 'This request cannot be answered', text: message, status });
    }
    const { redirectUri, state, unvetted } = redirect;
    const description = asciiText(message);
    const parameters = { error: code, error_description: description, state, iss: issuer };
    const { href, host } = answerUrl(redirectUri, parameters);
    if (unvetted === undefined) return seeOther(c, href);
    const name = unvetted.name.replace(unseen, '').slice(0, longestName);
    return messagePage({
      title: 'This request cannot be answered',
      text: `A program that calls itself "${name}" asked for access. ${message} Nobody at this server has checked where the link below leads.`,
      status: 400,
      next: { href, label: `Go back to ${host}` },
    });
  });
  return app;
}

type DeviceAuthorizationRouteOptions = {
  readonly issuer: string;
  readonly resources: ResourceRules;
  readonly scopes: Scopes;
  readonly interactions: Pick<Interactions, 'beginDevice'>;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly limit: MiddlewareHandler<EdgeEnv>;
  readonly clock: Clock;
};

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** `POST /device_authorization` (RFC 8628 section 3.1): a device without a browser asks for a code to show. */
function createDeviceAuthorizationRoutes(options: DeviceAuthorizationRouteOptions): Hono<EdgeEnv> {
  const { issuer, resources, scopes, interactions, answerAuthenticated, limit, clock } = options;
  const app = new Hono<EdgeEnv>();

  app.post(endpointPaths.deviceAuthorization, limit, async (c) =>
    answerAuthenticated(await callOf(c), async (form, client) => {
      if (!client.grantTypes.includes(deviceGrant)) {
        throw new AuthorizationError(
          'unauthorized_client',
          `The client did not register for the grant type ${deviceGrant}: register it for that too.`,
        );
      }
      const started = await interactions.beginDevice(
        { clientId: client.clientId, ...checkAccess(form, { client, scopes, resources }) },
        c.get('context').caller.key,
      );
      const page = `${issuer}${endpointPaths.device}`;
      const answer = {
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${started.userCode}`,
        expires_in: Math.round((started.expiresAt - clock.now()) / 1_000),
        interval: started.intervalSeconds,
      };
      return c.json(answer, 200, noStore);
    }),
  );
  return app;
}
