import type { Hono } from 'hono';
import type { Database } from '../../kernel/database/database.ts';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import type { PathPolicy } from '../../kernel/edge/paths.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { DataDirectory } from '../../kernel/process/data-directory.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { Grants } from '../grants/grants.ts';
import type { Guard } from '../guard/principal.ts';
import { endpointPaths } from '../http/endpoint-paths.ts';
import { authorizationLimits } from '../limits.ts';
import type { Scopes } from '../protocol/scope.ts';
import { type ClientRegistry, createClientRegistry } from './client-registry.ts';
import { createClientRoutes } from './client-routes.ts';
import type { RememberedClients } from './clients.ts';
import { writeOperatorCredential } from './operator-credential.ts';
import { createRegistrars, type Registrars, type RegistrationMode } from './registrars.ts';

type RegistrationOptions = {
  readonly issuer: string;
  readonly mode: RegistrationMode;
  readonly settings: {
    readonly registrationToken: string | undefined;
    readonly registrationRate: number;
    readonly registrationLifetime: number;
  };
  /** The directory in which the command line finds the credential of the local operator. */
  readonly dataDir: DataDirectory;
  readonly remembered: Pick<RememberedClients, 'forgetAfter'>;
  readonly scopes: Scopes;
  readonly guard: Pick<Guard, 'check'>;
  readonly grants: Pick<Grants, 'revokeClient' | 'narrowClient'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
};

/** Registration of clients, and its management. */
export type RegistrationService = {
  readonly app: Hono<EdgeEnv>;
  readonly registry: ClientRegistry;
  readonly registrars: Registrars;
  /** Removes the operator's credential. */
  close(): void;
};

/** Any page may register a client that needs a person's consent, because no cookie is read. */
export const registrationPaths: Readonly<Record<string, PathPolicy>> = {
  [`${endpointPaths.register}/*`]: { origins: 'any' },
};

const configurationRequests = authorizationLimits.configurationRequests.value;

/** Joins the parts of registration. Throws where the data directory cannot be written. */
export function createRegistration(options: RegistrationOptions): RegistrationService {
  const { settings, database, clock } = options;
  const operatorCredential = writeOperatorCredential(options.dataDir, options.random);
  const registry = createClientRegistry({
    ...options,
    unusedLifetime: settings.registrationLifetime,
  });
  const registrars = createRegistrars({
    ...options,
    operatorTokenHash: operatorCredential.hash,
    registrationToken: settings.registrationToken,
  });
  const limiter = (name: string, perMinute: number) =>
    createRateLimiter({ database, clock, name, perMinute });
  const limiters = {
    registering: limiter('registrations', settings.registrationRate),
    managing: limiter('configuration', configurationRequests),
  };
  return {
    app: createClientRoutes({ ...options, registry, registrars, limiters }),
    registry,
    registrars,
    close: operatorCredential.remove,
  };
}
