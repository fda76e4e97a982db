import type { Hono } from 'hono';
import type { Database } from '../../kernel/database/database.ts';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { SettingValues } from '../../kernel/process/settings.ts';
import {
  createPruner,
  type PrunerOptions,
  type Pruning,
  type Worker,
} from '../../kernel/process/worker.ts';
import type { Logger } from '../../kernel/telemetry/logger.ts';
import type { Metrics } from '../../kernel/telemetry/metrics.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { authorizationSettings, SignUp } from '../config.ts';
import type { Grants } from '../grants/grants.ts';
import { authorizationLimits } from '../limits.ts';
import type { SessionStatus } from '../model/account.ts';
import type { FindClient } from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import type { Interactions } from '../requests/interactions.ts';
import { pruneLinks } from '../store/password-store.ts';
import type { SessionAge } from '../store/session-store.ts';
import { pruneWalletChallenges } from '../store/wallet-store.ts';
import { createAdmission } from './accounts/admission.ts';
import { createFailureLimit } from './accounts/failure-limit.ts';
import { createManagePeople, type ManagePeople } from './accounts/manage-people.ts';
import { createPasswords } from './accounts/passwords.ts';
import { prepareOwner } from './accounts/prepare-owner.ts';
import { changePassword, signInByPassword } from './accounts/sign-in-by-password.ts';
import { createWalletSignIn } from './accounts/wallet-sign-in.ts';
import { createBrowsers } from './browsers.ts';
import { createIdentityProvider } from './identity-provider/identity-provider.ts';
import { createSessionStatus } from './identity-provider/session-status.ts';
import { type ClientDesk, createManageClients } from './manage-clients.ts';
import { createPeopleApp } from './pages/people-app.ts';
import { createShowSignIn } from './pages/sign-in.ts';

type PeopleOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  /** Who may become an account. */
  readonly signUp: SignUp;
  readonly interactions: Interactions;
  readonly grants: Grants;
  readonly findClient: FindClient;
  readonly scopes: Scopes;
  /** What people call other servers that tokens may be for, by their addresses. */
  readonly nameOfResource: (resource: string) => string | undefined;
  readonly clients: ClientDesk;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
};

/** Everything that deals with people: accounts, sign-in, consent and their pages. */
export type People = {
  readonly app: Hono<EdgeEnv>;
  readonly workers: readonly Worker[];
  readonly manage: ManagePeople;
  /** The age beyond which a session of a browser no longer counts, as of now. */
  sessionAge(): SessionAge;
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  /** What is known of the sessions at the identity provider by which people signed in. */
  readonly sessionStatus: SessionStatus;
  close(): Promise<void>;
};

/** Wrong passwords a minute for one name from one caller, and over all names; other tries of one caller. */
const failuresOfName = authorizationLimits.passwordFailuresOfName.value;
const failuresOfCaller = authorizationLimits.passwordFailures.value;
const triesOfCaller = authorizationLimits.tries.value;
const mostChallenges = authorizationLimits.walletChallenges.value;
const accountRequestsOfCaller = authorizationLimits.accountRequests.value;

/**
 * Joins the parts that deal with people. It prepares the owner's account first, so it waits for the store.
 * It contacts the identity provider only when somebody signs in there.
 */
export async function createPeople(options: PeopleOptions): Promise<People> {
  const { settings, publicUrl, database, interactions, clock, logger } = options;
  const passwords = createPasswords();
  const limit = (name: string, perMinute: number) =>
    createRateLimiter({ database, clock, name, perMinute });
  const { sessionIdle: idleTime, sessionLifetime: lifetime } = settings;
  const setUpLink = await prepareOwner({
    ...options,
    passwords,
    ownerPassword: settings.ownerPassword,
  });
  const admission = createAdmission(options);
  const { accountOf } = admission;
  const identityProvider = createIdentityProvider({ ...options, accountOf });
  const sessionStatus = identityProvider?.status ?? withoutProvider(options);
  const browsers = createBrowsers({ ...options, sessionStatus, idleTime, lifetime });
  const offersWallet = settings.walletSignIn === 'on';
  const otherWays = { offersWallet, identityProviderName: identityProvider?.signIn.name };
  const showSignIn = createShowSignIn({ interactions, database, otherWays });
  const signIn = signInByPassword({
    ...{ database, passwords },
    byName: createFailureLimit(limit('sign-in-name', failuresOfName), clock),
    byCaller: createFailureLimit(limit('sign-in-caller', failuresOfCaller), clock),
    onRefused: countRefusals(options.metrics),
  });
  const managePeople = createManagePeople({ ...options, sessionAge: browsers.age });
  const app = createPeopleApp({
    ...options,
    ownOrigin: publicUrl.origin,
    browsers,
    passwords,
    signIn,
    showSignIn,
    otherWays,
    admission,
    changePassword: changePassword({ ...options, passwords, signIn }),
    managePeople,
    manageClients: createManageClients({ ...options, desk: options.clients }),
    accountRequests: limit('account', accountRequestsOfCaller),
    wrongCodes: createFailureLimit(limit('device-codes', triesOfCaller), clock),
    byWallet: offersWallet
      ? {
          wallet: createWalletSignIn(options),
          accountOf,
          challenges: limit('wallet-challenges', triesOfCaller),
        }
      : undefined,
    byIdentityProvider: identityProvider && {
      publicUrl,
      identityProvider: identityProvider.signIn,
      beginnings: limit('third-party-sign-ins', triesOfCaller),
    },
  });

  const prunings: readonly Pruning[] = [
    ...browsers.prunings,
    (step) => pruneWalletChallenges(database, { ...step, kept: mostChallenges }),
    (step) => pruneLinks(database, step),
    ...(identityProvider?.prunings ?? []),
  ];
  return {
    app,
    workers: [
      createPeoplePruner({
        prunings,
        clock,
        onFailure: (error) => logger.error({ err: error }, 'sessions not pruned'),
      }),
      ...(identityProvider?.workers ?? []),
    ],
    manage: managePeople,
    sessionAge: browsers.age,
    setUpLink,
    sessionStatus,
    close: async () => identityProvider?.close(),
  };
}

/** Without an identity provider in the settings, none of its sessions is valid any more. */
function withoutProvider({ database, settings, clock }: PeopleOptions): SessionStatus {
  const interval = settings.idpStatusInterval;
  return createSessionStatus({ database, clock, interval, ask: async () => false });
}

function countRefusals(metrics: Metrics | undefined): () => void {
  const refusals = metrics?.counter({
    name: 'authorization_sign_in_failures_total',
    help: 'Sign-ins with a wrong name or password.',
  });
  return () => refusals?.inc();
}

/** The worker that forgets sessions of browsers, challenges of wallets and begun sign-ins that are over or too many. */
function createPeoplePruner(
  options: PrunerOptions & { readonly prunings: readonly Pruning[] },
): Worker {
  return createPruner({ ...options, name: 'people-pruner', pauseMs: 60_000 });
}
