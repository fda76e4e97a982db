import { type Context, Hono } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { hashSecret } from '../../../kernel/crypto/hash.ts';
import { limitRate } from '../../../kernel/edge/limit-rate.ts';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../../kernel/edge/rate-limiter.ts';
import { queryOf } from '../../../kernel/edge/request.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { seeOther } from '../../http/answers.ts';
import type { Interactions } from '../../requests/interactions.ts';
import { addCookie, type Browsers, cookieOptions } from '../browsers.ts';
import { attemptLifetime, type IdentityProviderSignIn } from '../identity-provider/sign-in.ts';
import { accountPlace, invitePlace, type ProofPlace } from '../place.ts';
import { formKeyOf, readPostedForm, signedInField, signedInFor } from '../posted-form.ts';

export type IdentityProviderRoutesOptions = {
  readonly publicUrl: URL;
  readonly identityProvider: IdentityProviderSignIn;
  readonly interactions: Interactions;
  readonly browsers: Browsers;
  /** Bounds the sign-ins that a caller begins: each occupies a row for minutes. */
  readonly beginnings: RateLimiter;
};

/**
 * `POST …/third-party` of a page, which sends the browser to the identity provider with a cookie that
 * belongs to this one sign-in (A3), so that several tabs can be under way.
 */
export function createIdentityProviderRoutes(
  options: IdentityProviderRoutesOptions,
  { placeOf, claimOf }: Pick<ProofPlace, 'placeOf' | 'claimOf'>,
): Hono<EdgeEnv> {
  const { publicUrl, identityProvider, interactions, browsers } = options;
  const app = new Hono<EdgeEnv>();
  app.use(limitRate({ limiter: options.beginnings, policy: 'third-party', windowSeconds: 60 }));
  app.post('/', async (c) => {
    const place = await placeOf(c);
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'third-party', place: place.id });
    const claim = await claimOf?.(c, form);
    const interaction = await interactions.find(place.id);
    const mustSignIn = interaction?.mustSignIn ?? false;
    try {
      const { url, state, secret } = await identityProvider.begin({
        placeId: place.id,
        mustSignIn,
        claim,
      });
      const cookie = cookieOptions(publicUrl, attemptLifetime);
      addCookie(c, generateCookie(attemptCookie(publicUrl, state), secret, cookie));
      return seeOther(c, url.href);
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      return tellClient(c, { interactions, placeId: place.id, error });
    }
  });
  return app;
}

/** `GET /authorize/callback`, to which the identity provider sends the person back. */
export function createCallbackRoute(options: IdentityProviderRoutesOptions): Hono<EdgeEnv> {
  const { publicUrl, identityProvider, interactions, browsers } = options;
  const app = new Hono<EdgeEnv>();
  app.get('/', async (c) => {
    const answer = queryOf(c.req);
    const name = attemptCookie(publicUrl, answer.get('state') ?? '');
    const { placeId, result } = await identityProvider.complete(answer, {
      secret: getCookie(c, name),
      sessionId: async () => (await browsers.read(c)).session?.id,
    });
    addCookie(c, generateCookie(name, '', cookieOptions(publicUrl, 0)));
    if (result instanceof AuthorizationError) {
      return tellClient(c, { interactions, placeId, error: result });
    }
    if (result === 'linked') return seeOther(c, accountPlace.path);
    const cookie = await browsers.signIn(c, result);
    if (accountPlaces.has(placeId)) return seeOther(c, accountPlace.path);
    const key = formKeyOf(cookie, signedInFor(placeId));
    return seeOther(c, `/authorize/${placeId}?${signedInField}=${key}`);
  });
  return app;
}

const accountPlaces = new Set<string>([accountPlace.id, invitePlace.id]);

/** Reports a failure at the identity provider to the client of the interaction, or to the person if none waits. */
async function tellClient(
  c: Context<EdgeEnv>,
  failed: { interactions: Interactions; placeId: string; error: AuthorizationError },
): Promise<Response> {
  const { interactions, placeId, error } = failed;
  const interaction = await interactions.find(placeId);
  if (interaction === undefined) throw error;
  const target = await interactions.deny(interaction.id, error.code, error.message);
  return seeOther(c, target?.href ?? '/device/denied');
}

/** One for each sign-in, so that several can be under way in one browser. */
function attemptCookie({ protocol }: URL, state: string): string {
  const prefix = protocol === 'https:' ? '__Host-' : '';
  return `${prefix}tradewind-sign-in-${hashSecret(state).slice(0, 16)}`;
}
