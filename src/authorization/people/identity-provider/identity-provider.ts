import { createSealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { parseNetworks } from '../../../kernel/model/network.ts';
import type { Random } from '../../../kernel/model/random.ts';
import {
  createOutboundFetch,
  type OutboundFetch,
} from '../../../kernel/outbound/outbound-fetch.ts';
import { createOutboundHttp } from '../../../kernel/outbound/outbound-http.ts';
import type { SettingValues } from '../../../kernel/process/settings.ts';
import type { Pruning, Worker } from '../../../kernel/process/worker.ts';
import type { Logger } from '../../../kernel/telemetry/logger.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createWorkWorker } from '../../../kernel/work/work-worker.ts';
import type { authorizationSettings } from '../../config.ts';
import type { Grants } from '../../grants/grants.ts';
import { authorizationLimits } from '../../limits.ts';
import type { AccountOf, SessionStatus } from '../../model/account.ts';
import { findProviderSession, pruneSignInAttempts } from '../../store/identity-provider-store.ts';
import { explainFailure } from './explain-failure.ts';
import { createProvider } from './provider.ts';
import { askIdentityProvider, createSessionStatus } from './session-status.ts';
import { createIdentityProviderSessions, renewalKind } from './sessions.ts';
import { createIdentityProviderSignIn, type IdentityProviderSignIn } from './sign-in.ts';

const mostAttempts = authorizationLimits.signInAttempts.value;

type IdentityProviderOptions = {
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
type IdentityProvider = {
  readonly signIn: IdentityProviderSignIn;
  readonly status: SessionStatus;
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
  const outbound = createIdentityProviderFetch({ issuer, clock, logger });
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
  const renewals = createWorkWorker({
    name: `schedule-${renewalKind}`,
    kinds: [renewalKind],
    ...{ database, clock, random },
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

  const question = {
    sessions,
    provider,
    name,
    idleTime,
    outage: settings.idpOutage,
    clock,
    logger,
  };

  return {
    signIn: createIdentityProviderSignIn({
      ...options,
      name,
      issuer: issuer.href,
      provider,
      sessions,
      sealer: sealerFor('third-party-sign-ins'),
    }),
    status: createSessionStatus({
      database,
      clock,
      interval: settings.idpStatusInterval,
      ask: (id) => askIdentityProvider(question, id),
    }),
    workers: [renewals],
    prunings: [
      (step) => pruneSignInAttempts(database, { ...step, kept: mostAttempts }),
      ({ now, limit }) => sessions.endIdle({ before: now - idleTime, limit }),
    ],
    close: outbound.close,
  };
}

/** Key sets and metadata of large providers exceed the 64 KiB of the ordinary limit. */
const maxResponseBytes = 512 * 1024;

/**
 * The `fetch` towards the identity provider. Its own host may be anywhere, since the operator named it; any
 * other host that its metadata name must be on the public internet (A7). Follows no redirect. Throws
 * `OutboundError`.
 */
export function createIdentityProviderFetch(options: {
  issuer: URL;
  clock: Clock;
  logger?: Pick<Logger, 'warn'>;
}): {
  fetch: OutboundFetch;
  close(): Promise<void>;
} {
  const { issuer, clock, logger } = options;
  const shared = {
    clock,
    limits: { maxResponseBytes },
    ...(logger === undefined ? {} : { logger }),
  };
  const everywhere = parseNetworks(['0.0.0.0/0', '::/0']);
  const named = createOutboundHttp({ allowNetworks: everywhere, ...shared });
  const others = createOutboundHttp({ allowNetworks: [], ...shared });

  const [fetchNamed, fetchOther] = [createOutboundFetch(named), createOutboundFetch(others)];
  return {
    fetch: (url, init) =>
      new URL(url).hostname === issuer.hostname ? fetchNamed(url, init) : fetchOther(url, init),
    async close() {
      await Promise.all([named.close(), others.close()]);
    },
  };
}
