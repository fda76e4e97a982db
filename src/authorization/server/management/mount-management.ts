import { createSealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Mount } from '../../../kernel/http/mount/mount.ts';
import type { Random } from '../../../kernel/random/random.ts';
import { createRateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { authorizationLimits } from '../../limits.ts';
import type { RegistrationService } from '../clients/registration/create-registration.ts';
import { checkForServices } from '../http/write-error.ts';
import type { FindClient } from '../model/client.ts';
import type { openTokens } from '../open-tokens.ts';
import type { People } from '../people/create-people.ts';
import { createManageResources } from '../resources/manage-resources.ts';
import type { openResources } from '../resources/open-resources.ts';
import { createManagementMount } from './create-management-mount.ts';
import { serveGrants } from './grant-operations.ts';
import { createManagerIdentity } from './identify-manager.ts';
import { serveKeys } from './key-operations.ts';
import { createReadPage } from './page-request.ts';
import { servePeople } from './people-operations.ts';
import { serveResources } from './resource-operations.ts';
import { serveSessions } from './session-operations.ts';

/** The parts of the authorization service that are managed. */
export type ManagedParts = {
  readonly tokens: Awaited<ReturnType<typeof openTokens>>;
  readonly people: People;
  readonly registration: Pick<RegistrationService, 'registrars'>;
  readonly resources: Awaited<ReturnType<typeof openResources>>;
  readonly findClient: FindClient;
};

/** The interface by which people, sessions, grants, resources and keys are managed. */
export function mountManagement(
  options: {
    readonly publicUrl: URL;
    readonly database: Database;
    readonly masterKey: Uint8Array;
    readonly clock: Clock;
    readonly random: Random;
  },
  parts: ManagedParts,
): Mount {
  const { publicUrl, database, clock } = options;
  const { tokens, people, registration, resources, findClient } = parts;
  const { grants } = tokens;
  const readPage = createReadPage(
    createSealer({ ...options, purpose: 'page tokens of management' }),
  );
  const managed = { ...options, ...people, grants, findClient, readPage };
  return createManagementMount({
    served: [
      ...servePeople({ people: people.manage, database, readPage }),
      ...serveSessions(managed),
      ...serveGrants(managed),
      ...serveResources({
        manage: createManageResources({
          ...options,
          issuer: publicUrl.origin,
          resources,
          grants,
        }),
        readPage,
      }),
      ...serveKeys({ keys: tokens.keys, readPage }),
    ],
    identify: createManagerIdentity({
      guard: { check: checkForServices(tokens.guard) },
      isOperatorCredential: registration.registrars.hasOperatorCredential,
    }),
    limiter: createRateLimiter({
      database,
      clock,
      name: 'management',
      perMinute: authorizationLimits.managementRequests.value,
    }),
    errorDomain: publicUrl.host,
  });
}
