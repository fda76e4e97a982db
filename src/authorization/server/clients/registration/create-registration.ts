import type { Hono } from 'hono';
import type { Database } from '../../../../kernel/database/database.ts';
import type { DataDirectory } from '../../../../kernel/files/data-directory.ts';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { PathPolicy } from '../../../../kernel/http/mount/path-policy.ts';
import type { Random } from '../../../../kernel/random/random.ts';
import { createRateLimiter } from '../../../../kernel/rate-limit/rate-limiter.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import type { Guard } from '../../../guard/principal.ts';
import { authorizationLimits } from '../../../limits.ts';
import type { Scopes } from '../../../protocol/scope.ts';
import type { Grants } from '../../grants/create-grants.ts';
import { endpointPaths } from '../../model/endpoint-paths.ts';
import type { RememberedClients } from '../remember-clients.ts';
import { type ClientRegistry, createClientRegistry } from './create-client-registry.ts';
import { createClientRoutes } from './create-client-routes.ts';
import { createRegistrars, type Registrars, type RegistrationMode } from './create-registrars.ts';
import { writeOperatorCredential } from './write-operator-credential.ts';

export type RegistrationOptions = {
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
