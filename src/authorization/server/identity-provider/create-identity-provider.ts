import type { SettingValues } from '../../../kernel/config/setting.ts';
import { createSealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Pruning } from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Logger } from '../../../kernel/logging/logger.ts';
import type { Random } from '../../../kernel/random/random.ts';
import { createScheduleWorker } from '../../../kernel/schedule/schedule-worker.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { authorizationSettings } from '../../config.ts';
import { authorizationLimits } from '../../limits.ts';
import type { Grants } from '../grants/create-grants.ts';
import type { AccountOf } from '../model/identity.ts';
import { findProviderSession, pruneSignInAttempts } from '../store/identity-provider-store.ts';
import { createIdentityProviderFetch } from './create-identity-provider-fetch.ts';
import {
  createIdentityProviderSessions,
  renewalKind,
} from './create-identity-provider-sessions.ts';
import {
  createIdentityProviderSignIn,
  type IdentityProviderSignIn,
} from './create-identity-provider-sign-in.ts';
import { createProvider } from './create-provider.ts';
import { createSessionStatus } from './create-session-status.ts';
import { explainFailure } from './explain-failure.ts';

const mostAttempts = authorizationLimits.signInAttempts.value;

export type IdentityProviderOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly grants: Pick<Grants, 'revokeIdentityProviderSession'>;
  readonly accountOf: AccountOf;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** This server as the client of another authorization server. */
export type IdentityProvider = {
  readonly signIn: IdentityProviderSignIn;
  isSessionAlive(sessionId: string): Promise<boolean>;
  readonly workers: readonly Worker[];
  /** Remove sign-ins that nobody came back from, and end idle sessions. */
  readonly prunings: readonly Pruning[];
  close(): Promise<void>;
};

/** The path to which the identity provider sends people back. */
export const callbackPath = '/authorize/callback';

/** The identity provider of the settings, where they name one. Reaches out to it only when somebody signs in. */
export function createIdentityProvider(
  options: IdentityProviderOptions,
): IdentityProvider | undefined {
  const { settings, publicUrl, database, masterKey, clock, random, logger } = options;
  const { idpIssuer, idpClientId, idpSessionIdle: idleTime } = settings;
  if (idpIssuer === undefined || idpClientId === undefined) return undefined;

  const issuer = new URL(idpIssuer);
  const name = settings.idpName ?? issuer.host;
  const outbound = createIdentityProviderFetch({ issuer, clock });
  const provider = createProvider({
    issuer,
    clientId: idpClientId,
    clientSecret: settings.idpClientSecret,
    scopes: settings.idpScopes,
    redirectUri: new URL(callbackPath, publicUrl).href,
    fetch: outbound.fetch,
    clock,
  });
  const sealerFor = (purpose: string) => createSealer({ masterKey, purpose, random });
  const sessions = createIdentityProviderSessions({
    ...options,
    sealer: sealerFor('third-party-tokens'),
    provider,
  });
  const renewals = createScheduleWorker({
    database,
    clock,
    random,
    kind: renewalKind,
    async handle({ key: id }, signal) {
      const session = await findProviderSession(database, id);
      if (session === undefined) return;
      if (session.lastUsedAt + idleTime <= clock.now()) return sessions.end(id);
      await sessions.renew(id, signal);
    },
    onFailure: ({ error }) => {
      const { code } = explainFailure(error, name);
      logger.warn({ code }, 'a session at the identity provider was not renewed, will be retried');
    },
  });

  return {
    signIn: createIdentityProviderSignIn({
      ...options,
      name,
      issuer: issuer.href,
      provider,
      sessions,
      sealer: sealerFor('third-party-sign-ins'),
    }),
    isSessionAlive: createSessionStatus({
      sessions,
      database,
      provider,
      name,
      interval: settings.idpStatusInterval,
      idleTime,
      outage: settings.idpOutage,
      clock,
      logger,
    }),
    workers: [renewals],
    prunings: [
      (step) => pruneSignInAttempts(database, { ...step, kept: mostAttempts }),
      ({ now, limit }) => sessions.endIdle({ before: now - idleTime, limit }),
    ],
    close: outbound.close,
  };
}
