import { Hono } from 'hono';
import type { Clock } from '../kernel/clock.ts';
import type { SettingValues } from '../kernel/config/setting.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Mount } from '../kernel/http/create-edge.ts';
import type { EdgeEnv } from '../kernel/http/edge-env.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Random } from '../kernel/random.ts';
import type { authorizationSettings } from './config.ts';
import type { Guard } from './guard/principal.ts';
import { createMetadataRoutes, metadataPaths } from './server/metadata/create-metadata-routes.ts';
import type { ProtectedResource } from './server/metadata/protected-resource.ts';

export type AuthorizationOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  /** Only this machine can reach the process. */
  readonly isLoopback: boolean;
  /** Where the credential of the local operator is left for the command line. */
  readonly dataDir: string;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The paths of this server that want a token. */
  readonly resources: readonly ProtectedResource[];
};

/** The authorization service: its interface, what it does in the background, and who may enter elsewhere. */
export type Authorization = {
  readonly mount: Mount;
  readonly workers: readonly Worker[];
  readonly guard: Guard;
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  close(): Promise<void>;
};

/** Makes the authorization service out of its parts. */
export async function createAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { settings, publicUrl, isLoopback, resources } = options;
  const issuer = publicUrl.origin;
  const registration = settings.registration ?? (isLoopback ? 'open' : 'token');

  const app = new Hono<EdgeEnv>();
  app.route(
    '/',
    createMetadataRoutes({
      issuer,
      canRegister: registration !== 'off',
      resources,
      isServed: settings.metadata === 'on',
    }),
  );
  return {
    mount: { app, paths: metadataPaths },
    workers: [],
    guard: refuseEveryone,
    setUpLink: undefined,
    close: async () => {},
  };
}

/** Until there are tokens nobody has one. */
const refuseEveryone: Guard = {
  check: async () => ({
    refusal: {
      status: 401,
      reason: 'missing',
      message: 'A token is needed.',
      challenges: ['Bearer'],
    },
  }),
  protect: async () =>
    new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }),
};
