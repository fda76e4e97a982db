import { devchainService } from '../src/app/open-devchain.ts';
import { serverService } from '../src/app/operator-mount.ts';
import { authorizationService } from '../src/authorization/authorization-service.ts';
import { managementService } from '../src/authorization/management/management.ts';
import { consoleService } from '../src/console/index.ts';
import { contextService } from '../src/context/http/context-service.ts';
import { eventsService } from '../src/events/http/events-service.ts';
import type { Service } from '../src/kernel/edge/operation.ts';
import { swapService } from '../src/swap/http/operations/operations.ts';

/** Every service that a server can have, in the order of its description. */
export const declaredServices: readonly Service[] = [
  swapService,
  authorizationService,
  managementService,
  contextService,
  eventsService,
  devchainService,
  serverService,
  consoleService,
];
