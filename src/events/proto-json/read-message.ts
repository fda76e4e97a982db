import type { z } from 'zod';
import type { FieldViolation } from '../errors/events-error.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { eventsLimits } from '../limits.ts';
import { normalizeNames } from './field-names.ts';

const longestList = eventsLimits.listInRequest.value;

/**
 * Reads JSON by the schema of a message, as ProtoJSON does: names in either case, `null` for absent,
 * unknown fields refused (E2.39-E2.41). Throws `INVALID_ARGUMENT` with the bad fields named.
 */
export function readMessage<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  refuseLongLists(json, []);
  const { value, givenTwice } = normalizeNames(json);
  const result = schema.safeParse(value);
  const violations = [
    ...givenTwice.map((field) => ({
      field,
      description: 'is given in camelCase and in snake_case: give it once',
    })),
    ...(result.error?.issues ?? []).flatMap(toViolations),
  ];
  if (violations.length === 0 && result.success) return result.data;
  throw invalidArgument(violations);
}

/**
 * Runs before the schema checks every member, since collecting its complaints about each takes far longer than reading
 * them (N1).
 */
function refuseLongLists(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > longestList) {
    const description = `has ${value.length} members and may have at most ${longestList}`;
    throw invalidArgument([{ field: toFieldPath(path), description }]);
  }
  for (const [name, member] of Object.entries(value)) {
    refuseLongLists(member, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

/** What a schema found wrong, by the names of the fields. */
export function toViolations(issue: z.core.$ZodIssue): FieldViolation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: toFieldPath([...issue.path, key]),
      description: 'is not a known field: remove it, or correct its name',
    }));
  }
  return [{ field: toFieldPath(issue.path), description: issue.message }];
}

function toFieldPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return text.replace(/^\./, '') || 'body';
}
