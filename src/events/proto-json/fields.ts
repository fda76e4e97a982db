import { z } from 'zod';
import { eventsLimits } from '../limits.ts';
import { fromDurationParts, parseDuration } from './duration.ts';
import { parseFieldMask } from './field-mask.ts';
import { parseTimestamp } from './timestamp.ts';

// The kinds of field that messages are made of. Each reads what ProtoJSON allows, and carries what
// the discovery document says of it.

function parsedBy<Value>(parse: (text: string) => Value | undefined, expected: string) {
  return z.string(expected).transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `is ${shorten(text)} but ${expected}` });
    return z.NEVER;
  });
}

export const timestamp = parsedBy(
  parseTimestamp,
  'must be an RFC 3339 timestamp such as 2026-01-31T12:00:00Z',
).meta({ type: 'string', format: 'google-datetime' });

const durationExpected = 'must be seconds with the suffix s, such as 3600s';

export const duration = z
  .union(
    [
      parsedBy(parseDuration, durationExpected),
      z
        .strictObject({
          seconds: z.union([z.int(), z.string().regex(/^-?\d+$/)]).optional(),
          nanos: z.int().optional(),
        })
        .transform((parts, context) => {
          const value = fromDurationParts(parts);
          if (value !== undefined) return value;
          context.addIssue({ code: 'custom', message: durationExpected });
          return z.NEVER;
        }),
    ],
    durationExpected,
  )
  .meta({ type: 'string', format: 'google-duration' });

const { fieldMask: mostOfMask, maskPaths } = eventsLimits;

export const fieldMask = parsedBy((mask) => {
  const paths = mask.length > mostOfMask.value ? undefined : parseFieldMask(mask);
  return paths !== undefined && paths.length > maskPaths.value ? undefined : paths;
}, `must be paths of fields separated by commas, such as a,b.c: at most ${maskPaths.value} of them, in ${mostOfMask.value} characters`).meta(
  { type: 'string', format: 'google-fieldmask' },
);

/** Text without U+0000, the one character that PostgreSQL cannot store. */
export const text = z
  .string('must be a string')
  .refine((value) => !value.includes('\0'), 'must not hold the character U+0000');
export const flag = z.boolean('must be true or false');

const int32Expected = 'must be a whole number that 32 bits can hold';
export const int32 = z
  .union(
    [
      z.int32(),
      z
        .string()
        .regex(/^-?\d+$/)
        .transform(Number)
        .pipe(z.int32()),
    ],
    int32Expected,
  )
  .meta({ type: 'integer', format: 'int32' });

/** An enum, by name or by number: the values stand in the order of their numbers, beginning at 0. */
export function enumOf<const Names extends readonly string[]>(
  values: Readonly<Record<Names[number], string>>,
  names: Names,
) {
  const expected = `must be one of ${names.join(', ')}`;
  const byNumber = z.int().transform((number, context): Names[number] => {
    const name = names[number];
    if (name !== undefined) return name;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
  return z.union([z.enum(names), byNumber], expected).meta({
    type: 'string',
    enum: [...names],
    enumDescriptions: names.map((name) => values[name as Names[number]]), // every name has one
  });
}

function shorten(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
