import { z } from 'zod';
import { declareOperation, type Service } from '../../kernel/edge/operation.ts';
import { statusBody } from '../../kernel/edge/status-error.ts';
import { applicationMethodList } from './methods/application-methods.ts';
import { betaMethodList } from './methods/beta-methods.ts';
import { deliveryMethodList } from './methods/delivery-methods.ts';
import { monitorMethodList } from './methods/monitor-methods.ts';
import { publishEvents } from './methods/publish-method.ts';
import { rotateSecret } from './methods/rotate-secret-method.ts';
import { subscriptionMethodList } from './methods/subscription-methods.ts';
import { standardQuery } from './standard-query.ts';

/** The document that Google's clients are made from. */
export const discoveryOperation = declareOperation({
  id: 'discovery.getRest',
  method: 'GET',
  path: '/$discovery/rest',
  summary: 'Discovery document',
  description: 'Describes the methods as Google API clients read it.',
  parameters: z.object({
    version: z.string().optional().describe('v1, or v1beta: the public methods alone.'),
  }),
  answer: { schema: z.looseObject({ kind: z.string() }).meta({ id: 'RestDescription' }) },
  scopes: [],
  errors: { 404: 'NOT_FOUND: there is no such version.' },
});

/** The interface as it is described: its methods and what all of them share. */
export const eventsService: Service = {
  name: 'Change notifications',
  description: 'Subscribe to events of applications and manage the notifications of changes.',
  error: statusBody('ErrorResponse'),
  parameters: standardQuery,
  operations: [
    discoveryOperation,
    ...Object.values(subscriptionMethodList),
    ...betaMethodList,
    publishEvents,
    ...Object.values(deliveryMethodList),
    rotateSecret,
    ...Object.values(applicationMethodList),
    ...Object.values(monitorMethodList),
  ],
};
