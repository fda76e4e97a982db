import type { Service } from '../../../kernel/operations/service.ts';
import { statusBody } from '../../../kernel/rpc-status/status-body.ts';
import { grantOperations } from './grant-operations.ts';
import { keyOperations } from './key-operations.ts';
import { peopleOperations } from './people-operations.ts';
import { resourceOperations } from './resource-operations.ts';
import { sessionOperations } from './session-operations.ts';

/** The description of the interface that manages people, sessions, grants, resources and keys. */
export const managementService: Service = {
  name: 'Access',
  description: 'Manage the people, sessions, grants, resources and keys of the server.',
  error: statusBody('AccessError'),
  operations: [
    ...Object.values(peopleOperations),
    ...Object.values(sessionOperations),
    ...Object.values(grantOperations),
    ...Object.values(resourceOperations),
    ...Object.values(keyOperations),
  ],
};
