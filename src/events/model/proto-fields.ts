import { z } from 'zod';
import { eventsLimits } from '../limits.ts';
import { toCamelCase } from './proto-json.ts';

const timestampShape =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

// google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z.
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Epoch milliseconds of an RFC 3339 timestamp with any offset (E2.42); undefined if the text is not
 * one, such as the 30th of February or a leap second. Fractions of a millisecond are dropped.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    timestampShape.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = Date.parse(`${date}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date takes the 30th of February for the 1st of March, and 24:00 for midnight.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000;
  const instant = sign === '-' ? local + offset : local - offset;
  return instant >= earliest && instant <= latest ? instant : undefined;
}

/** RFC 3339 in UTC with 0 or 3 fractional digits (E2.42), as ProtoJSON writes milliseconds. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

const durationShape = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

// google.protobuf.Duration: about 10,000 years either way.
const longestSeconds = 315_576_000_000;

/**
 * Milliseconds of a duration such as `3600s` or `1.5s` (E2.43); undefined if the text is not a duration. Fractions of a
 * millisecond are dropped.
 */
export function parseDuration(text: string): number | undefined {
  const [, sign, seconds, fraction = ''] = durationShape.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return combine({
    isNegative: sign === '-',
    seconds: Number(seconds),
    milliseconds: Number(fraction.padEnd(3, '0').slice(0, 3)),
  });
}

/** The same for the object form `{"seconds": 3600, "nanos": 0}` that the public guides send (E3.22). */
export function fromDurationParts(parts: {
  seconds?: number | string | undefined;
  nanos?: number | undefined;
}): number | undefined {
  const [seconds, nanos] = [Number(parts.seconds ?? 0), parts.nanos ?? 0];
  if (!Number.isSafeInteger(seconds) || !Number.isSafeInteger(nanos)) return undefined;
  if (Math.abs(nanos) > 999_999_999) return undefined;
  // Both parts of one duration have the same sign.
  if (seconds * nanos < 0) return undefined;
  return combine({
    isNegative: seconds < 0 || nanos < 0,
    seconds: Math.abs(seconds),
    milliseconds: Math.trunc(Math.abs(nanos) / 1_000_000),
  });
}

/** `3600s` or `1.5s`, without zeros at the end. */
export function formatDuration(milliseconds: number): string {
  return `${milliseconds / 1_000}s`;
}

function combine(parts: { isNegative: boolean; seconds: number; milliseconds: number }) {
  if (parts.seconds > longestSeconds) return undefined;
  const total = parts.seconds * 1_000 + parts.milliseconds;
  return parts.isNegative && total !== 0 ? -total : total;
}

const pathShape = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/;

/**
 * The paths of a field mask such as `ttl,event_types`, in camelCase, each once (E3.16); `*` is a path
 * of its own. Undefined for a mask that is malformed. Does not check whether the fields exist.
 */
export function parseFieldMask(text: string): readonly string[] | undefined {
  if (text.trim() === '') return [];
  const paths = text.split(',').map((path) => path.trim());
  if (paths.some((path) => path !== '*' && !pathShape.test(path))) return undefined;
  return [...new Set(paths.map(toCamelCase))];
}

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

/** The enums of messages, by the schema of a field: the numbers that the interface gives to their names. */
export const enumNumbers = z.registry<{ readonly numbers: ReadonlyMap<string, number> }>();

/**
 * An enum, by name or by number: the values stand in the order of their numbers, beginning at 0. If only the first
 * `numbered` of them have one, a number beyond these is refused (G2).
 */
export function enumOf<const Names extends readonly string[]>(
  values: Readonly<Record<Names[number], string>>,
  names: Names,
  numbered: number = names.length,
) {
  const expected = `must be one of ${names.join(', ')}`;
  const withNumber = names.slice(0, numbered);
  const byNumber = z.int().transform((number, context): Names[number] => {
    const name = withNumber[number];
    if (name !== undefined) return name;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
  return z
    .union([z.enum(names), byNumber], expected)
    .meta({
      type: 'string',
      enum: [...names],
      enumDescriptions: names.map((name) => values[name as Names[number]]), // every name has one
    })
    .register(enumNumbers, { numbers: new Map(withNumber.map((name, number) => [name, number])) });
}

function shorten(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
