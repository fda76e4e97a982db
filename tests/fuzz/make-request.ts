import { z } from 'zod';
import { parsePathTemplate } from '../../src/kernel/edge/index-operations.ts';
import type { Operation, Service } from '../../src/kernel/edge/operation.ts';
import type { Dice } from '../support/dice.ts';
import { makeValue } from './make-value.ts';
import { spoilText, spoilValue } from './spoil-value.ts';

/** A request as it goes over the wire, and its service and operation. */
export type FuzzRequest = {
  readonly service: Service;
  readonly operation: Operation;
  /** Whether it still reaches the operation: neither its path nor its method was spoiled. */
  readonly isAimed: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whose token it carries, by index; absent without one. */
  readonly credential: number | undefined;
};

export type JsonSchema = Record<string, unknown>;

/** Makes requests of the declared operations: the same for the same dice. */
export function createRequestMaker(services: readonly Service[], credentials: number) {
  const targets = services.flatMap((service) =>
    service.operations.map((operation) => ({
      service,
      operation,
      ...schemasOf(service, operation),
    })),
  );
  return (dice: Dice): FuzzRequest => {
    const { service, operation, parameters, headers, body } = dice.pick(targets);
    const spoils = (chance: number) => dice.fraction() < chance;
    const given = makeValue(parameters, dice, defsOf(parameters)) as JsonSchema;
    const query = spoils(0.4) ? (spoilValue(given, dice) as JsonSchema) : given;
    const variables = parsePathTemplate(operation.path).segments;
    const isPathSpoiled = spoils(0.05);
    const isMethodSpoiled = spoils(0.05);
    const path = isPathSpoiled
      ? `/${variables.map(({ text }) => encode(spoils(0.3) ? spoilText(dice) : text)).join('/')}`
      : fillPath(operation, given, dice);
    const wrongMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'];
    const method = isMethodSpoiled ? dice.pick(wrongMethods) : operation.method;
    return {
      service,
      operation,
      isAimed: !isPathSpoiled && !isMethodSpoiled,
      method,
      path: `${path}${writeQuery(query, operation, dice)}`,
      ...makeContent({ body, operation, headers }, dice),
      credential: spoils(0.6) ? Math.floor(dice.fraction() * credentials) : undefined,
    };
  };
}

/** What an operation takes, as JSON Schema. */
export function schemasOf(service: Service, operation: Operation) {
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const shared = service.parameters?.shape ?? {};
  const write = (schema: z.ZodType) => z.toJSONSchema(schema, options) as JsonSchema;
  const meanings = write(z.object({ ...shared, ...operation.parameters.shape }));
  return {
    parameters: useWire(meanings),
    headers: operation.headers === undefined ? undefined : write(operation.headers),
    body: operation.body === undefined ? undefined : write(operation.body.schema),
  };
}

/** The schema of a parameter's text is under `wire`. */
function useWire(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, below]) => [name, { ...below, ...(below.wire as JsonSchema) }]),
    ),
  };
}

export const defsOf = (schema: JsonSchema) => (schema.$defs ?? {}) as JsonSchema;

function fillPath(operation: Operation, given: JsonSchema, dice: Dice): string {
  const { segments, verb } = parsePathTemplate(operation.path);
  const filled = segments.map(({ text, variable }) => {
    if (!text.startsWith('*')) return text;
    const known = given[variable ?? ''];
    if (known !== undefined && dice.fraction() < 0.6) return encode(String(known));
    return dice.fraction() < 0.5
      ? dice.pick(['abc', '31337', '1', 'mcp'])
      : encode(spoilText(dice));
  });
  return `/${filled.join('/')}${verb === '' ? '' : `:${verb}`}`.slice(0, 6_000);
}

function writeQuery(query: unknown, operation: Operation, dice: Dice): string {
  if (typeof query !== 'object' || query === null)
    return `?${encode(String(query)).slice(0, 4_000)}`;
  const inPath = new Set(
    parsePathTemplate(operation.path).segments.map(({ variable }) => variable),
  );
  const pairs = Object.entries(query)
    .filter(([name]) => !inPath.has(name))
    .flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const pair = `${encode(name)}=${dice.fraction() < 0.95 ? encode(text ?? '') : (text ?? '')}`;
      return dice.fraction() < 0.03 ? [pair, pair] : [pair];
    });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, 7_000);
}

type Content = {
  body: JsonSchema | undefined;
  operation: Operation;
  headers: JsonSchema | undefined;
};

function makeContent({ body, operation, headers }: Content, dice: Dice) {
  const own = headers === undefined ? {} : (makeValue(headers, dice) as Record<string, string>);
  const type = operation.body && dice.pick(operation.body.types);
  const odd = dice.fraction() < 0.15 ? oddHeader(dice) : {};
  if (body === undefined || type === undefined) {
    const isSent = dice.fraction() < 0.05 && operation.method !== 'GET';
    return { headers: { ...own, ...odd }, body: isSent ? spoilText(dice) : undefined };
  }
  const value = makeValue(body, dice, defsOf(body));
  const spoiled = dice.fraction() < 0.6 ? spoilValue(value, dice) : value;
  const isForm = type === 'application/x-www-form-urlencoded';
  const text = isForm ? writeForm(spoiled) : JSON.stringify(spoiled);
  const cut =
    dice.fraction() < 0.05 ? text.slice(0, Math.floor(dice.fraction() * text.length)) : text;
  const isLying = dice.fraction() < 0.05;
  const contentType = isLying
    ? dice.pick(['text/plain', 'multipart/form-data', 'application/xml', 'x'])
    : type;
  return { headers: { ...own, 'content-type': contentType, ...odd }, body: cut };
}

export function writeForm(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(
      ([name, field]) =>
        `${encode(name)}=${encode(typeof field === 'string' ? field : (JSON.stringify(field) ?? ''))}`,
    )
    .join('&');
}

/** Headers that the edge, a guard or a service reads from any request. */
export const knownHeaders = [
  'accept',
  'accept-encoding',
  'access-control-request-headers',
  'authorization',
  'content-type',
  'cookie',
  'dpop',
  'forwarded',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'range',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-request-id',
] as const;

function oddHeader(dice: Dice): Record<string, string> {
  const name = dice.pick(knownHeaders);
  return {
    [name]:
      dice.fraction() < 0.5
        ? spoilText(dice)
        : dice.pick(['GET', '*/*', 'gzip', 'Basic YTpi', 'null', 'Bearer x.y.z']),
  };
}

/** Escapes by code point. Lone surrogates are sent as the bytes that UTF-8 would have for them, which are invalid. */
export function encode(text: string): string {
  return text.replaceAll(/[^\w.~-]/gu, (character) => {
    const known = escapes.get(character);
    if (known !== undefined) return known;
    const written = bytesOf(character)
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('');
    escapes.set(character, written);
    return written;
  });
}

/** A cache of escapes: texts are long, and most consist of few different characters. */
const escapes = new Map<string, string>();

function bytesOf(character: string): number[] {
  const point = character.codePointAt(0) ?? 0;
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return isSurrogate
    ? [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)]
    : [...Buffer.from(character)];
}
