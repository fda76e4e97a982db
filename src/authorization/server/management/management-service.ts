import { z } from 'zod';
import type { Service } from '../../../kernel/operations/service.ts';
import { grantOperations } from './grant-operations.ts';
import { keyOperations } from './key-operations.ts';
import { peopleOperations } from './people-operations.ts';
import { resourceOperations } from './resource-operations.ts';
import { sessionOperations } from './session-operations.ts';

const error = z
  .object({
    error: z.object({
      code: z.int32().describe('The HTTP status.'),
      message: z.string().describe('For people.'),
      status: z.string().describe('The canonical status, for programs.'),
      details: z.array(z.looseObject({ '@type': z.string() })),
    }),
  })
  .meta({ id: 'AccessError', description: 'What every refusal looks like (google.rpc.Status).' });

/** How people, sessions, grants, resources and keys are managed, as it is described. */
export const managementService: Service = {
  name: 'Access',
  description: 'Manage the people, sessions, grants, resources and keys of the server.',
  error,
  operations: [
    ...Object.values(peopleOperations),
    ...Object.values(sessionOperations),
    ...Object.values(grantOperations),
    ...Object.values(resourceOperations),
    ...Object.values(keyOperations),
  ],
};
