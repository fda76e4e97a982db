import { type Context, Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { seeOther } from '../../http/answers.ts';
import type { Interaction } from '../../model/request.ts';
import type { Form } from '../../protocol/form.ts';
import type { Scope, Scopes } from '../../protocol/scope.ts';
import { type Interactions, requestIsOver } from '../../requests/interactions.ts';
import type { Session } from '../../store/session-store.ts';
import type { Browsers } from '../browsers.ts';
import { allowableScope, chosenScope } from '../manage-clients.ts';
import { interactionPlace } from '../place.ts';
import {
  isFormKeyOf,
  readForSignIn,
  readPostedForm,
  signedInField,
  signedInFor,
} from '../posted-form.ts';
import { consentPage, continuePage } from './consent-page.ts';
import type { ShowSignIn } from './sign-in.ts';

export type InteractionRoutesOptions = {
  readonly interactions: Interactions;
  readonly browsers: Browsers;
  readonly showSignIn: ShowSignIn;
  readonly ownOrigin: string;
  readonly nameOfResource: (resource: string) => string | undefined;
  readonly scopes: Scopes;
};

/**
 * `GET /authorize/{interaction}`, which is the sign-in page or the consent page, and the decision of
 * the person. A page of this server needs no consent. Every decision ends in a 303: to the client, or to a page for whoever used a device.
 */
export function createInteractionRoutes(options: InteractionRoutesOptions): Hono<EdgeEnv> {
  const { interactions, browsers, showSignIn, ownOrigin, nameOfResource, scopes } = options;
  const app = new Hono<EdgeEnv>();

  app.get('/', async (c) => {
    const interaction = await interactionOf(interactions, c);
    const { cookie, session, refusal } = await readForSignIn(browsers, c);
    const place = interactionPlace(interaction.id);
    if (session === undefined || !isFreshEnough(session, interaction)) {
      return showSignIn({ place, cookie, refusal });
    }
    const { client } = interaction;
    if (!client.isOwnPage) return showConsent({ interaction, session, cookie, problem: undefined });
    // Any site can send the browser here: only a click or a sign-in for it shows that the person wants it (N2).
    const key = c.req.query(signedInField) ?? '';
    const hasSignedInForIt = isFormKeyOf(key, cookie, signedInFor(interaction.id));
    if (c.get('context').isForeignPage && !hasSignedInForIt) {
      return continuePage({ place, cookie, client, account: session.account });
    }
    return allowOwnPage(c, { interaction, session });
  });

  app.post('/consent', async (c) => {
    const interaction = await interactionOf(interactions, c);
    const place = interactionPlace(interaction.id);
    const browser = await browsers.read(c);
    const form = await readPostedForm(c, browser, { form: 'consent', place: place.id });
    const { cookie, session } = browser;
    if (session === undefined || !isFreshEnough(session, interaction)) {
      return seeOther(c, place.path);
    }
    const allowable = allowableScope(interaction.scope, { account: session.account, scopes });
    const decision = readDecision(form, allowable);
    if ('problem' in decision) {
      return showConsent({ interaction, session, cookie, problem: decision.problem });
    }
    if (decision.scope === undefined) {
      const told = 'The person did not allow the access.';
      const target = await interactions.deny(interaction.id, 'access_denied', told);
      return seeOther(c, target?.href ?? '/device/denied');
    }
    const target = await allow(interaction, session, decision.scope);
    return seeOther(c, target?.href ?? '/device/allowed');
  });

  return app;

  /** A person who comes from a page of this server asked for access themselves: there is nobody else to allow. */
  async function allowOwnPage(
    c: Context<EdgeEnv>,
    { interaction, session }: { interaction: Interaction; session: Session },
  ): Promise<Response> {
    const { account } = session;
    const scope = allowableScope(interaction.scope, { account, scopes });
    const target = await allow(interaction, session, scope);
    return seeOther(c, target?.href ?? '/');
  }

  function allow({ id }: Interaction, session: Session, scope: readonly Scope[]) {
    const { account, identityProviderSessionId, id: sessionId } = session;
    const accountId = account.id;
    return interactions.allow(id, { accountId, scope, identityProviderSessionId, sessionId });
  }

  function showConsent(shown: {
    interaction: Interaction;
    session: Session;
    cookie: string;
    problem: string | undefined;
  }): Promise<Response> {
    const { interaction, session, cookie, problem } = shown;
    const { account } = session;
    const place = interactionPlace(interaction.id);
    const scope = allowableScope(interaction.scope, { account, scopes });
    const frame = { place, cookie, ownOrigin, nameOfResource, scopes };
    return consentPage({ ...frame, interaction, account, scope, problem });
  }
}

/** What the person allowed, `undefined` if they denied it, or why the form is no decision. */
function readDecision(
  form: Form,
  allowable: readonly Scope[],
): { scope: readonly Scope[] | undefined } | { problem: string } {
  const decision = form.get('decision');
  if (decision === 'deny') return { scope: undefined };
  if (decision !== 'allow') return { problem: 'Choose "Allow" or "Deny".' };
  const scope = chosenScope(form, allowable);
  return scope.length > 0
    ? { scope }
    : { problem: 'Nothing is ticked: tick what you want to allow, or deny.' };
}

/** The interaction in the path. Throws `invalid_request` when it is over, decided or was never there. */
export async function interactionOf(
  interactions: Pick<Interactions, 'find'>,
  c: Context<EdgeEnv>,
): Promise<Interaction> {
  const interaction = await interactions.find(c.req.param('interaction') ?? '');
  if (interaction !== undefined) return interaction;
  throw requestIsOver();
}

function isFreshEnough({ signedInAt }: Session, { mustSignIn, createdAt }: Interaction): boolean {
  return !mustSignIn || signedInAt >= createdAt;
}
