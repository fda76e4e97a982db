import type { Clock } from '../../../kernel/clock.ts';
import type { SettingValues } from '../../../kernel/config/setting.ts';
import { createSealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Random } from '../../../kernel/random.ts';
import { createScheduleWorker } from '../../../kernel/schedule/schedule-worker.ts';
import type { authorizationSettings } from '../../config.ts';
import type { Grants } from '../grants/create-grants.ts';
import type { AccountStore } from '../store/account-store.ts';
import { createThirdPartyStore } from '../store/third-party-store.ts';
import { createProvider } from './create-provider.ts';
import { createSessionStatus } from './create-session-status.ts';
import { createThirdPartyFetch } from './create-third-party-fetch.ts';
import { createThirdPartySessions, renewalKind } from './create-third-party-sessions.ts';
import { createThirdPartySignIn, type ThirdPartySignIn } from './create-third-party-sign-in.ts';
import { explainFailure } from './explain-failure.ts';

export type ThirdPartyOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly accounts: AccountStore;
  readonly grants: Pick<Grants, 'revokeThirdPartySession'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** This server as the client of another authorization server. */
export type ThirdParty = {
  readonly signIn: ThirdPartySignIn;
  isSessionAlive(sessionId: string): Promise<boolean>;
  readonly workers: readonly Worker[];
  /** Forgets sign-ins that nobody came back from, and ends idle sessions. */
  prune(): Promise<void>;
  close(): Promise<void>;
};

/** To which the third party sends people back. */
export const callbackPath = '/authorize/callback';

/** The third party of the settings, where they name one. Reaches out to it only when somebody signs in. */
export function createThirdParty(options: ThirdPartyOptions): ThirdParty | undefined {
  const { settings, publicUrl, database, masterKey, clock, random, logger } = options;
  const { idpIssuer, idpClientId, idpSessionIdle: idleTime } = settings;
  if (idpIssuer === undefined || idpClientId === undefined) return undefined;

  const issuer = new URL(idpIssuer);
  const name = settings.idpName ?? issuer.host;
  const outbound = createThirdPartyFetch({ issuer, clock });
  const provider = createProvider({
    issuer,
    clientId: idpClientId,
    clientSecret: settings.idpClientSecret,
    scopes: settings.idpScopes,
    redirectUri: new URL(callbackPath, publicUrl).href,
    fetch: outbound.fetch,
    clock,
  });
  const store = createThirdPartyStore(database);
  const sealerFor = (purpose: string) => createSealer({ masterKey, purpose, random });
  const sessions = createThirdPartySessions({
    ...options,
    store,
    sealer: sealerFor('third-party-tokens'),
    provider,
  });
  const renewals = createScheduleWorker({
    database,
    clock,
    random,
    kind: renewalKind,
    async handle({ key: id }, signal) {
      const session = await store.findSession(id);
      if (session === undefined) return;
      if (session.lastUsedAt + idleTime <= clock.now()) return sessions.end(id);
      await sessions.renew(id, signal);
    },
    onFailure: ({ error }) => {
      const { code } = explainFailure(error, name);
      logger.warn({ code }, 'a third-party session was not renewed, comes again');
    },
  });

  return {
    signIn: createThirdPartySignIn({
      ...options,
      name,
      issuer: issuer.href,
      provider,
      sessions,
      store,
      sealer: sealerFor('third-party-sign-ins'),
    }),
    isSessionAlive: createSessionStatus({
      sessions,
      store,
      provider,
      name,
      interval: settings.idpStatusInterval,
      idleTime,
      outage: settings.idpOutage,
      clock,
      logger,
    }),
    workers: [renewals],
    async prune() {
      await store.prune(clock.now());
      await sessions.endIdle(clock.now() - idleTime);
    },
    close: outbound.close,
  };
}
