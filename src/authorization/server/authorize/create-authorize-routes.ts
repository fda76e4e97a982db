import { Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';
import { EdgeError } from '../../../kernel/http/edge-error.ts';
import { limitRate } from '../../../kernel/http/limit-rate.ts';
import type { RateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import { AuthorizationError, authorizationErrorStatus } from '../../authorization-error.ts';
import { asciiText } from '../../protocol/ascii-text.ts';
import { type Form, parseForm, readForm } from '../../protocol/read-form.ts';
import { messagePage } from '../http/message-page.ts';
import { showErrorPage } from '../http/show-error-page.ts';
import { endpointPaths } from '../metadata/endpoint-paths.ts';
import { answerUrl } from './answer-url.ts';
import { checkRequest, type RequestRules } from './check-request.ts';
import type { WaitingInteractions } from './create-interactions.ts';
import type { PushedRequests } from './create-pushed-requests.ts';

export type AuthorizeRouteOptions = {
  readonly issuer: string;
  readonly rules: RequestRules;
  readonly interactions: Pick<WaitingInteractions, 'begin'>;
  readonly pushedRequests: Pick<PushedRequests, 'take'>;
  readonly limiter: RateLimiter;
};

/**
 * `GET` and `POST /authorize`: a request that passes every check waits for a person at an address of
 * its own, to which the browser goes with a 303. One that fails is answered at the redirect URI once
 * that is known to be the client's, and by a page before.
 */
export function createAuthorizeRoutes(options: AuthorizeRouteOptions): Hono<EdgeEnv> {
  const { issuer, rules, interactions, pushedRequests } = options;
  const app = new Hono<EdgeEnv>();
  const path = endpointPaths.authorize;
  const policy = 'authorization-requests';
  const limit = limitRate({ limiter: options.limiter, policy, windowSeconds: 60 });

  const answer = async (form: Form) => {
    const request = await checkRequest(await pushedRequests.take(form), rules);
    const id = await interactions.begin(request);
    return redirect(`${path}/${id}`);
  };
  app.get(path, limit, (c) => answer(parseForm(new URL(c.req.url).search)));
  app.post(path, limit, async (c) =>
    answer(readForm(c.req.header('content-type'), await c.req.text())),
  );

  app.onError((error, c) => {
    const isForPeople = c.req.header('accept')?.includes('text/html') === true;
    if (error instanceof EdgeError && isForPeople) return showErrorPage(error, c);
    if (!(error instanceof AuthorizationError)) throw error;
    const { code, message, redirect: to } = error;
    if (to === undefined) {
      // 401 would ask the browser for credentials that it does not have.
      const status = code === 'invalid_client' ? 400 : authorizationErrorStatus[code];
      return messagePage({ title: 'This request cannot be answered', text: message, status });
    }
    const { redirectUri, state } = to;
    const description = asciiText(message);
    const parameters = { error: code, error_description: description, state, iss: issuer };
    return redirect(answerUrl(redirectUri, parameters).href);
  });
  return app;
}

/** 303, so that a browser which posted the request does not post it again elsewhere (R1). */
function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store' },
  });
}
