// The second door: the shapes of the interface's answers, for clients of a running server. It holds only types, so
// importing it loads nothing.
import type { AnswerOf, AnswersOf } from '../kernel/edge/operation.ts';
import type { applicationMethodList } from './http/methods/application-methods.ts';
import type { deliveryMethodList } from './http/methods/delivery-methods.ts';
import type { monitorMethodList } from './http/methods/monitor-methods.ts';
import type { publishEvents } from './http/methods/publish-method.ts';
import type { rotateSecret } from './http/methods/rotate-secret-method.ts';
import type { subscriptionMethodList } from './http/methods/subscription-methods.ts';

/** The answers of the declared operations, by what they are about. */
export type EventsAnswers = {
  readonly applications: AnswersOf<typeof applicationMethodList>;
  readonly deliveries: AnswersOf<typeof deliveryMethodList>;
  readonly monitor: AnswersOf<typeof monitorMethodList>;
  readonly subscriptions: AnswersOf<typeof subscriptionMethodList>;
  readonly publishEvents: AnswerOf<typeof publishEvents>;
  readonly rotateSecret: AnswerOf<typeof rotateSecret>;
};
