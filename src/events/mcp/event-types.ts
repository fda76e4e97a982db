import { z } from 'zod';
import type { Application, DescribedEvent, Target } from '../model/application.ts';
import type { OptionsValue } from '../model/application-options.ts';
import type { FieldViolation } from '../model/events-error.ts';

/**
 * How MCP clients see the event types of an application: flat arguments in place of a target and options, and schemas for
 * both directions. All of it is made from what the application declares.
 */

/** An event type as `events/list` shows it (M5). */
export type EventTypeEntry = {
  readonly name: string;
  readonly description: string;
  readonly delivery: readonly ['webhook', 'push', 'poll'];
  readonly inputSchema: object;
  readonly payloadSchema: object;
};

type OfType = { readonly application: Application; readonly type: string };

export function describeEventType({ application, type }: OfType): EventTypeEntry {
  const described = application.described?.[type];
  return {
    name: type,
    description:
      described?.description ?? `The event ${type} of the application ${application.name}.`,
    delivery: ['webhook', 'push', 'poll'],
    inputSchema: z.toJSONSchema(argumentsOf({ application, type }), { io: 'input' }),
    payloadSchema: payloadSchemaOf(described),
  };
}

/** Objects stay open: a closed one would make later fields break subscriptions that exist (M8). */
function payloadSchemaOf(described: DescribedEvent | undefined): object {
  const subject = { type: 'string', description: 'The full name of what changed.' };
  const open = { type: 'object', additionalProperties: true };
  if (described === undefined) return { ...open, properties: { subject }, required: ['subject'] };
  const { resource, fields } = described;
  const named = {
    ...open,
    properties: { name: { type: 'string' }, ...fields },
    required: ['name'],
  };
  return { ...open, properties: { subject, [resource]: named }, required: ['subject', resource] };
}

/** A target that arguments name, with the options among them. */
export type NamedTarget = {
  readonly targetResource: string;
  /** The arguments that fill no placeholder, completed with their defaults. */
  readonly options: OptionsValue;
};

type ReadArguments =
  | { readonly named: NamedTarget; readonly violation?: undefined }
  | { readonly violation: FieldViolation; readonly named?: undefined };

/**
 * Reads the arguments for an event type (M7): together they must fill one target pattern, each as one segment, percent-encoded;
 * one that is left out stands for any. Does not check whether the target exists.
 */
export function readArguments(of: OfType, given: Readonly<Record<string, unknown>>): ReadArguments {
  const parsed = argumentsOf(of).safeParse(given);
  if (!parsed.success) return { violation: toViolation(parsed.error) };
  const placed = new Set<string>();
  const values = new Map<string, string>();
  for (const { names } of targetsOf(of).map(namesOf)) {
    for (const name of Object.values(names)) {
      placed.add(name);
      const value = parsed.data[name];
      if (value !== undefined) values.set(name, String(value));
    }
  }
  const encoded = encodeAll(values);
  if (encoded === undefined) return refuse('arguments', 'hold text that is not Unicode');
  const filled = targetsOf(of).flatMap((target) => fill(target, encoded) ?? []);
  const fewest = Math.min(...filled.map(({ missing }) => missing));
  const best = filled.filter(({ missing }) => missing === fewest);
  const [only, ...others] = best.length > 1 ? best.filter(({ isDefault }) => isDefault) : best;
  if (only === undefined || others.length > 0) {
    const choices = targetsOf(of).map((target) =>
      Object.values(namesOf(target).names).join(' and '),
    );
    return refuse('arguments', `must name one target: give ${choices.join(', or ')}`);
  }
  const options = Object.entries(parsed.data).filter(
    ([name, value]) => !placed.has(name) && value !== undefined,
  );
  return { named: { targetResource: only.target, options: Object.fromEntries(options) } };
}

function targetsOf({ application, type }: OfType): readonly Target[] {
  return application.targets.filter(({ eventTypes }) => eventTypes.includes(type));
}

const longestText = 1_024;
const placeholder = /\{(\w+)\}/g;

/** The argument of each placeholder; undeclared ones are called like the placeholder. */
function namesOf({ pattern, arguments: declared }: Target) {
  const placeholders = [...pattern.matchAll(placeholder)].map(([, name = '']) => name);
  const names = declared?.names ?? Object.fromEntries(placeholders.map((name) => [name, name]));
  return { names, placeholders };
}

/** The schema of all arguments of a type. If it has several patterns, none of their arguments is required. */
function argumentsOf(of: OfType): z.ZodObject {
  const [first, ...others] = targetsOf(of).map(schemaOf);
  if (first === undefined) return z.strictObject({});
  if (others.length === 0) return first;
  const all = [first, ...others].map((schema) => schema.partial().shape);
  return z.strictObject(Object.assign({}, ...all));
}

function schemaOf(target: Target): z.ZodObject {
  if (target.arguments !== undefined) return target.arguments.schema;
  const segments = target.pattern.split('/');
  const fields = namesOf(target).placeholders.map((name) => {
    const text = z.string().min(1).max(longestText);
    const isSegment = segments.includes(`{${name}}`);
    return [
      name,
      isSegment ? text.optional().describe('Any if left out.') : text.describe('Required.'),
    ] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Undefined if a text holds half a character. */
function encodeAll(values: ReadonlyMap<string, string>): ReadonlyMap<string, string> | undefined {
  if ([...values.values()].some((value) => !value.isWellFormed())) return undefined;
  return new Map([...values].map(([name, value]) => [name, encodeURIComponent(value)]));
}

/** Fills the pattern; undefined if a value has no place in it, or one is missing that is no segment by itself. */
function fill(target: Target, values: ReadonlyMap<string, string>) {
  const { names } = namesOf(target);
  const own = new Set(Object.values(names));
  if ([...values.keys()].some((name) => !own.has(name))) return undefined;
  let missing = 0;
  let isWhole = true;
  const filled = target.pattern
    .split('/')
    .map((segment) => {
      const only = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (only !== undefined && values.get(names[only] ?? '') === undefined) {
        missing += 1;
        return '-';
      }
      return segment.replace(placeholder, (_, name: string) => {
        const value = values.get(names[name] ?? '');
        isWhole &&= value !== undefined;
        return value ?? '';
      });
    })
    .join('/');
  const isDefault = target.arguments?.isDefault ?? false;
  return isWhole ? { target: filled, missing, isDefault } : undefined;
}

function toViolation(error: z.ZodError): FieldViolation {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const field = `arguments.${issue.keys[0]}`;
    return { field, description: 'is no argument of this event: leave it out' };
  }
  const field = ['arguments', ...(issue?.path ?? [])].join('.');
  return { field, description: issue?.message ?? 'is not valid' };
}

function refuse(field: string, description: string): ReadArguments {
  return { violation: { field, description } };
}
