import { z } from 'zod';
import { readMessage } from '../proto-json/read-message.ts';
import type { ApplicationDefinition } from '../store/application-store.ts';
import { findPatternProblem } from './target-pattern.ts';

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
export function parseApplication(body: unknown): ApplicationDefinition {
  return readMessage(applicationSchema, body);
}
