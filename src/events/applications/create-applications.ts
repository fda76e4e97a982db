import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { Application, Target } from '../model/application.ts';
import { EventsError } from '../model/events-error.ts';
import { readMessage } from '../model/proto-json.ts';
import {
  type ApplicationDefinition,
  addApplication,
  removeUnusedApplication,
} from '../store/application-store.ts';
import type { RefreshableCatalogue } from './create-catalogue.ts';
import { findPatternProblem, serviceOf } from './target-pattern.ts';

/** An application as `/v1/applications` shows it. */
type ApplicationResource = Omit<ApplicationDefinition, 'targets'> & {
  readonly targets: readonly TargetResource[];
  readonly builtIn: boolean;
};

type TargetResource = Pick<Target, 'pattern' | 'eventTypes' | 'clientScope'>;

/** The use cases of the catalogue. They do not check the caller's scopes: the edge does. */
export type Applications = {
  /** The whole catalogue, built-in applications first (E14.16). */
  list(): Promise<ApplicationResource[]>;
  /** Adds the application in the body (E14.15). Throws `INVALID_ARGUMENT` and `ALREADY_EXISTS`. */
  add(body: unknown): Promise<ApplicationResource>;
  /**
   * Removes an added application if no subscription to it is active. Throws `NOT_FOUND`, and `FAILED_PRECONDITION`
   * for a built-in one.
   */
  remove(name: string): Promise<void>;
};

/** Makes the use cases of the catalogue. Names, services and event types have one owner each. */
export function createApplications(options: {
  readonly database: Database;
  readonly catalogue: RefreshableCatalogue;
  readonly clock: Clock;
  /** Suspends the subscriptions to any of these event types. */
  suspendAll(eventTypes: readonly string[]): Promise<void>;
}): Applications {
  const { database, catalogue, clock, suspendAll } = options;

  return {
    list: async () => (await catalogue.list()).map(toResource),
    async add(body) {
      const application = parseApplication(body);
      catalogue.refresh();
      for (const other of await catalogue.list()) refuseClash(application, other);
      if (!(await addApplication(database, application, clock.now())))
        throw nameTaken(application.name);
      catalogue.refresh();
      return { ...application, builtIn: false };
    },
    async remove(name) {
      catalogue.refresh();
      const application = (await catalogue.list()).find((one) => one.name === name);
      if (application === undefined) throw unknown(name);
      if (application.isBuiltIn) throw builtInStays(name);
      const eventTypes = application.targets.flatMap((target) => target.eventTypes);
      for (;;) {
        // First, so that a crash between the two leaves no active subscription without its application.
        await suspendAll(eventTypes);
        const outcome = await removeUnusedApplication(database, name, eventTypes);
        if (outcome === 'missing') throw unknown(name);
        if (outcome === 'removed') break;
      }
      catalogue.refresh();
    },
  };
}

/** Events and targets are found by type and service, so each of these has one application. */
function refuseClash(added: ApplicationDefinition, other: Application): void {
  if (added.name === other.name) throw nameTaken(added.name);
  const services = new Set(other.targets.map(({ pattern }) => serviceOf(pattern)));
  const types = new Set([
    ...other.targets.flatMap(({ eventTypes }) => eventTypes),
    ...Object.values(other.batchTypes),
  ]);
  for (const { pattern, eventTypes } of added.targets) {
    if (services.has(serviceOf(pattern))) throw taken('service', serviceOf(pattern), other.name);
    for (const type of eventTypes) {
      if (types.has(type)) throw taken('event type', type, other.name);
    }
  }
}

function toResource({ name, targets, scopes, isBuiltIn }: Application): ApplicationResource {
  return {
    name,
    targets: targets.map(toTargetResource),
    scopes,
    builtIn: isBuiltIn,
  };
}

/** A target as lists of the catalogue show it. */
export function toTargetResource({ pattern, eventTypes, clientScope }: Target): TargetResource {
  return { pattern, eventTypes, ...(clientScope === undefined ? {} : { clientScope }) };
}

function nameTaken(name: string): EventsError {
  return new EventsError(
    'ALREADY_EXISTS',
    `There is an application ${name} already: choose another name, or remove that one first.`,
    {
      reason: 'APPLICATION_EXISTS',
      metadata: { name },
      resource: { type: 'application', name },
    },
  );
}

function taken(kind: string, value: string, owner: string): EventsError {
  return new EventsError(
    'ALREADY_EXISTS',
    `The ${kind} ${value} belongs to ${owner}: choose another one.`,
    { reason: 'APPLICATION_CLASHES', metadata: { kind, value, owner } },
  );
}

function builtInStays(name: string): EventsError {
  const description = `The application ${name} is built in and cannot be removed; only added ones can.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'APPLICATION_BUILT_IN',
    metadata: { name },
    preconditionViolations: [{ type: 'BUILT_IN', subject: name, description }],
  });
}

function unknown(name: string): EventsError {
  return new EventsError(
    'NOT_FOUND',
    `There is no application ${name}: GET /v1/applications (tradewind applications list) lists all of them.`,
    {
      reason: 'APPLICATION_NOT_FOUND',
      metadata: { name },
      resource: { type: 'application', name },
    },
  );
}

const nameShape = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
const eventTypeShape = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;
// Only this server publishes these types, so receivers can trust events about the server and its subscriptions.
const ownTypes = /^(tradewind|google\.workspace\.events)\./;
// RFC 6749, section 3.3: the characters of a scope.
const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const list = <Item extends z.ZodType>(item: Item, minimum: number) =>
  z
    .array(item, 'must be a list')
    .min(minimum, 'must not be empty')
    .max(100, 'has over 100 entries');

const applicationSchema = z.strictObject(
  {
    name: z
      .string('must be a string such as crm')
      .regex(nameShape, 'must be 1 to 63 lower-case letters, digits, dots and hyphens'),
    targets: list(
      z.strictObject(
        {
          pattern: z.string('must be a string such as //crm/deals/{deal}').check((context) => {
            const problem = findPatternProblem(context.value);
            if (problem === undefined) return;
            const message = `${problem}; write it as in //crm/deals/{deal}`;
            context.issues.push({ code: 'custom', message, input: context.value });
          }),
          eventTypes: list(
            z
              .string('must be a string such as crm.deal.v1.won')
              .max(255, 'is longer than 255 characters')
              .regex(eventTypeShape, 'must be words joined by dots, such as crm.deal.v1.won')
              .refine((type) => !ownTypes.test(type), 'is a type that only this server publishes'),
            1,
          ),
        },
        'must be an object with pattern and eventTypes',
      ),
      1,
    ),
    scopes: list(
      z
        .string('must be a string')
        .regex(scopeShape, 'is not a scope: use printable ASCII without spaces, " and \\'),
      0,
    ).default([]),
  },
  'must be an object with name, targets and scopes',
);

/**
 * Reads the body of `POST /v1/applications` (E14.15) as any other message. Does not check whether name,
 * services or types are taken. Throws `INVALID_ARGUMENT` with every bad field named.
 */
function parseApplication(body: unknown): ApplicationDefinition {
  return readMessage(applicationSchema, body);
}
