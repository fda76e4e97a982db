import { z } from 'zod';
import { headingOf, type Operation, type OperationMethod } from '../../kernel/edge/operation.ts';
import { StatusError } from '../../kernel/edge/status-error.ts';
import { accountScope, adminScope } from '../scopes.ts';
import type { Manager } from './identify-manager.ts';

/** An operation of the interface by which people, sessions, grants, resources and keys are managed. */
type ManagementOperation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = Operation<Query, Answer> & {
  /**
   * Who may call it besides admins: a person for what is their own, where consent named that (N20), or the program
   * that a person allowed something, for what concerns that program.
   */
  readonly isFor: 'admins' | 'people' | 'programs';
  readonly bodySchema: Body;
};

const refusals = {
  400: 'INVALID_ARGUMENT or FAILED_PRECONDITION: details name every violation.',
  401: 'UNAUTHENTICATED: send a token.',
  403: 'PERMISSION_DENIED: the token lacks the scope, or only an owner may.',
  404: 'NOT_FOUND: there is nothing with this id, or it is another person’s.',
  409: 'ALREADY_EXISTS, or ABORTED by other changes at the same time.',
  413: 'INVALID_ARGUMENT: the body is too large.',
  429: 'RESOURCE_EXHAUSTED: Retry-After says how many seconds to wait.',
  503: 'UNAVAILABLE: the store does not answer; repeat the request in a moment.',
};

/** One of them is enough. */
const scopesOf = {
  admins: [adminScope],
  people: [accountScope, adminScope],
  programs: [],
} as const;

const noBody = z.unknown();

export function declareManagement<
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUnknown,
  Answer extends z.ZodType = z.ZodType,
>(declaration: {
  readonly id: string;
  readonly method: OperationMethod;
  readonly path: `/v1/${string}`;
  readonly description: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  readonly isFor?: ManagementOperation['isFor'];
}): ManagementOperation<Query, Body, Answer> {
  const { query, body, answer, isFor = 'admins', ...rest } = declaration;
  return {
    ...rest,
    summary: headingOf(rest.description),
    // Without parameters of its own an operation has none.
    parameters: query ?? (z.object({}) as unknown as Query),
    ...(body ? { body: { types: ['application/json'], schema: body } } : {}),
    bodySchema: body ?? (noBody as unknown as Body),
    answer: { schema: answer },
    scopes: scopesOf[isFor],
    errors: refusals,
    isFor,
  };
}

/** A request as an operation receives it: the caller is known and may call it, the rest is checked. */
type ManagementCall<Query, Body> = {
  readonly manager: Manager;
  /** The value of the path variable; '' if there is none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
};

export type ServedManagement = {
  readonly operation: ManagementOperation;
  answer(call: ManagementCall<unknown, unknown>): Promise<object>;
};

/** Joins an operation and its answer, so that the answer gets query and body by their schemas' types. */
export function serveManagement<Query extends z.ZodObject, Body extends z.ZodType>(
  operation: ManagementOperation<Query, Body>,
  answer: (call: ManagementCall<z.output<Query>, z.output<Body>>) => Promise<object>,
): ServedManagement {
  // What is handed to it was parsed by the schemas of this same operation.
  return {
    operation,
    answer: (call) => answer(call as ManagementCall<z.output<Query>, z.output<Body>>),
  };
}

/** A moment as the interface writes it. */
export const time = z.iso.datetime().describe('A timestamp (RFC 3339).');
export const toTime = (milliseconds: number) => new Date(milliseconds).toISOString();

export const personQuery = {
  person: z.string().optional().describe('Only those of the person with this id.'),
};

/**
 * Whose things a manager may list: a person their own, an admin everybody's, or those of one person.
 * `undefined` is everybody. Throws `PERMISSION_DENIED` for those of somebody else.
 */
export function ownerOf(
  { isAdmin, personId }: Manager,
  wanted: string | undefined,
): string | undefined {
  if (isAdmin || wanted === personId) return wanted;
  if (wanted === undefined) return personId;
  throw new StatusError(
    'PERMISSION_DENIED',
    'These belong to somebody else: ask for your own, or with the scope admin.',
    { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' },
  );
}
