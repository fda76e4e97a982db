// The door of shapes: the answers of the interface, for callers of a running server. It has only types.
import type { AnswersOf } from '../kernel/edge/operation.ts';
import type { grantOperations } from './management/grant-operations.ts';
import type { keyOperations } from './management/key-operations.ts';
import type { peopleOperations } from './management/people-operations.ts';
import type { resourceOperations } from './management/resource-operations.ts';
import type { sessionOperations } from './management/session-operations.ts';

/** The answers of the declared operations by which a server is managed, by what they are about. */
export type ManagementAnswers = {
  readonly grants: AnswersOf<typeof grantOperations>;
  readonly keys: AnswersOf<typeof keyOperations>;
  readonly people: AnswersOf<typeof peopleOperations>;
  readonly resources: AnswersOf<typeof resourceOperations>;
  readonly sessions: AnswersOf<typeof sessionOperations>;
};
