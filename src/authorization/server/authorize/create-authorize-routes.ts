import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { EdgeEnv } from '../../../kernel/http/mount/edge-env.ts';
import { AuthorizationError, authorizationErrorStatus } from '../../authorization-error.ts';
import { asciiText } from '../../protocol/ascii-text.ts';
import { type Form, parseForm, readForm } from '../../protocol/read-form.ts';
import { messagePage } from '../http/message-page.ts';
import { seeOther } from '../http/see-other.ts';
import { endpointPaths } from '../model/endpoint-paths.ts';
import { answerUrl } from './answer-url.ts';
import { checkRequest, type RequestRules } from './check-request.ts';
import type { Interactions } from './create-interactions.ts';
import type { PushedRequests } from './create-pushed-requests.ts';

/** Characters that show nothing, or move those beside them. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const longestName = 80;

export type AuthorizeRouteOptions = {
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
export function createAuthorizeRoutes(options: AuthorizeRouteOptions): Hono<EdgeEnv> {
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
