import { Hono } from 'hono';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import type { PathPolicy } from '../../../kernel/edge/paths.ts';
import { showErrorPage } from '../../http/error-page.ts';
import type { Interactions } from '../../requests/interactions.ts';
import { linkPaths } from '../accounts/manage-people.ts';
import { callbackPath } from '../identity-provider/identity-provider.ts';
import {
  accountPlace,
  type FindPlace,
  interactionPlace,
  invitePlace,
  linkPlace,
  type ProofPlace,
} from '../place.ts';
import {
  type AccountRoutesOptions,
  createAccountRoutes,
  linkProofPlace,
} from './account-routes.ts';
import {
  createPasswordLinkRoutes,
  inviteProofPlace,
  type PasswordLinkRoutesOptions,
} from './choose-password.ts';
import { createDevicePageRoutes, type DevicePageRoutesOptions } from './device.ts';
import {
  createCallbackRoute,
  createIdentityProviderRoutes,
  type IdentityProviderRoutesOptions,
} from './identity-provider-routes.ts';
import {
  createInteractionRoutes,
  type InteractionRoutesOptions,
  interactionOf,
} from './interaction-routes.ts';
import { walletScriptPath } from './other-ways.ts';
import { createSetUpRoutes, type SetUpRoutesOptions } from './set-up.ts';
import { createSignInRoutes, type SignInRoutesOptions } from './sign-in.ts';
import { createWalletRoutes, type WalletRoutesOptions, walletScript } from './wallet-routes.ts';

type PeopleAppOptions = AccountRoutesOptions &
  SetUpRoutesOptions &
  PasswordLinkRoutesOptions &
  SignInRoutesOptions &
  InteractionRoutesOptions &
  DevicePageRoutesOptions & {
    /** Absent where nobody signs in with a wallet. */
    readonly byWallet: Pick<WalletRoutesOptions, 'wallet' | 'challenges' | 'accountOf'> | undefined;
    /** Absent where there is no identity provider. */
    readonly byIdentityProvider:
      | Pick<IdentityProviderRoutesOptions, 'publicUrl' | 'identityProvider' | 'beginnings'>
      | undefined;
  };

/** Browsers send `Origin: null` with forms of pages under `no-referrer` (L8). */
export const peoplePaths: Readonly<Record<string, PathPolicy>> = {
  // The id of an interaction is a secret of its browser.
  '/authorize/*': { origins: 'own-or-null', hasSecret: true },
  '/device/*': { origins: 'own-or-null' },
  '/account/*': { origins: 'own-or-null' },
};

const interactionPath = '/authorize/:interaction';

/** Every page for people, and what is posted from each. */
export function createPeopleApp(options: PeopleAppOptions): Hono<EdgeEnv> {
  const { byWallet, byIdentityProvider } = options;
  const app = new Hono<EdgeEnv>();
  app.onError(showErrorPage);
  app.get(walletScriptPath, (c) =>
    c.body(walletScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  app.route('/account/set-up', createSetUpRoutes(options));
  app.route(linkPaths.invite, createPasswordLinkRoutes(options, 'invite'));
  app.route(linkPaths.reset, createPasswordLinkRoutes(options, 'reset'));
  app.route('/account', createAccountRoutes(options));
  app.route('/device', createDevicePageRoutes(options));
  // Before the interactions, whose pattern it would match.
  if (byIdentityProvider)
    app.route(callbackPath, createCallbackRoute({ ...options, ...byIdentityProvider }));
  app.route(interactionPath, createInteractionRoutes(options));
  const proofs: [string, ProofPlace][] = [
    [invitePlace.path, inviteProofPlace(options)],
    [linkPlace.path, linkProofPlace(options)],
  ];
  for (const [path, placeOf] of signInPlaces(options.interactions)) {
    app.route(path, createSignInRoutes(options, placeOf));
    const showRefusal: ProofPlace['showRefusal'] = (_, { place, cookie, error }) =>
      options.showSignIn({ place, cookie, refusal: error });
    proofs.push([path, { placeOf, showRefusal }]);
  }
  for (const [path, proof] of proofs) {
    if (byWallet) {
      app.route(`${path}/wallet`, createWalletRoutes({ ...options, ...byWallet }, proof));
    }
    if (byIdentityProvider) {
      const routes = createIdentityProviderRoutes({ ...options, ...byIdentityProvider }, proof);
      app.route(`${path}/third-party`, routes);
    }
  }
  return app;
}

/** The pages on which people sign in. */
function signInPlaces(interactions: Interactions): [string, FindPlace][] {
  return [
    [accountPlace.path, async () => accountPlace],
    [interactionPath, async (c) => interactionPlace((await interactionOf(interactions, c)).id)],
  ];
}
