import type { z } from 'zod';
import { parseJson as parseForeignJson } from '../../kernel/text/json.ts';
import { eventsLimits } from '../limits.ts';
import { type FieldViolation, invalidArgument } from './events-error.ts';

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

/** The JSON of a body. Throws `INVALID_ARGUMENT` with the given reason if it is not JSON or is nested too deeply. */
export function parseJson(text: string, reason: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    const description = error instanceof Error ? error.message : 'must be JSON';
    throw invalidArgument([{ field: 'body', description }], reason);
  }
}

/** `target_resource` as `targetResource`; a name in camelCase stays as it is. */
export function toCamelCase(name: string): string {
  if (!name.includes('_')) return name;
  return name.replaceAll(/_([a-z0-9])/g, (part, letter: string, offset: number) =>
    /[A-Za-z0-9]/.test(name[offset - 1] ?? '') ? letter.toUpperCase() : part,
  );
}

type NormalizedNames = {
  readonly value: unknown;
  /** Paths of fields that were given under both of their names. */
  readonly givenTwice: readonly string[];
};

/**
 * JSON with the names of its fields in camelCase, whichever case they came in (E2.39), and without
 * the fields that are `null` (E2.41). A `null` in a list stays, and the schema refuses it.
 */
export function normalizeNames(json: unknown): NormalizedNames {
  const givenTwice: string[] = [];

  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`));
    if (typeof value !== 'object' || value === null) return value;
    const normalized = new Map<string, unknown>();
    for (const [given, member] of Object.entries(value)) {
      if (member === null) continue;
      const name = toCamelCase(given);
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (normalized.has(name)) givenTwice.push(memberPath);
      normalized.set(name, walk(member, memberPath));
    }
    return Object.fromEntries(normalized);
  };
  return { value: walk(json, ''), givenTwice };
}
