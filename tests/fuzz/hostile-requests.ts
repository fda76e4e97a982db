import { parsePathTemplate } from '../../src/kernel/edge/index-operations.ts';
import type { Operation, Service } from '../../src/kernel/edge/operation.ts';
import { createDice } from '../support/dice.ts';
import { distinctNames, foreignHost, hostileTexts, manyMarks } from '../support/hostile-texts.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import {
  defsOf,
  encode,
  type JsonSchema,
  knownHeaders,
  schemasOf,
  writeForm,
} from './make-request.ts';
import { makeValue } from './make-value.ts';
import type { sendRequest } from './send-request.ts';

type WireRequest = Parameters<typeof sendRequest>[0];

/** How many characters the head of a request admits once they are escaped, and how many a body admits. */
const [inHead, inBody] = [12_000, 60_000];
const nested = `${'['.repeat(inBody / 2)}${']'.repeat(inBody / 2)}`;

/** How many texts a field gets besides those that every field gets; `TEST_TEXTS` asks for more. */
const textsInField = Number(process.env.TEST_TEXTS ?? 2);

/**
 * Requests of an operation with a hostile text of the greatest admitted length in one field. Each parameter, header and
 * field of the body is that field in turn; the others are valid. Fields of the body, and the body itself, are also tried
 * as lists of as many members as fit.
 */
export function createHostileRequests() {
  const texts = createTexts();
  return (service: Service, operation: Operation): WireRequest[] => {
    const { parameters, headers, body } = schemasOf(service, operation);
    const isFirst = service.operations[0] === operation;
    const dice = createDice(createSeededFractions(1));
    // Only required fields: if another field were refused, the hostile one would not be read.
    const valid = (schema: JsonSchema | undefined) => {
      if (schema === undefined) return {};
      const needed = new Set((schema.required ?? []) as string[]);
      const made = makeValue(schema, dice, defsOf(schema)) as JsonSchema;
      return Object.fromEntries(Object.entries(made).filter(([name]) => needed.has(name)));
    };
    const base = { parameters: valid(parameters), headers: valid(headers), body: valid(body) };
    const write = (changed: Partial<typeof base>) => toWire(operation, { ...base, ...changed });
    const names = (schema: JsonSchema | undefined) =>
      Object.keys((schema?.properties as JsonSchema | undefined) ?? {});
    return [
      ...names(parameters).flatMap((name) =>
        texts(inHead).map((text) => write({ parameters: { ...base.parameters, [name]: text } })),
      ),
      // The common headers are read by the same code for all operations of a service, so one operation is enough.
      ...[...names(headers), ...(isFirst ? knownHeaders : [])].flatMap((name) =>
        texts(inHead).map((text) => write({ headers: { ...base.headers, [name]: text } })),
      ),
      ...names(body).flatMap((name) =>
        [...texts(inBody), ...lists].map((value) =>
          write({ body: { ...base.body, [name]: value } }),
        ),
      ),
      ...longBodies(operation, base.body).map(({ type, text }) => {
        const wire = write({});
        return { ...wire, headers: { ...wire.headers, 'content-type': type }, body: text };
      }),
      ...(operation.body === undefined ? [] : [nested, ...texts(inBody)]).map((text) => ({
        ...write({}),
        body: text,
      })),
    ];
  };
}

/** Each member is invalid, so that a parser which reports every error has much to report. */
const lists = [{}, 1, 'a'].map((member) => {
  const room = JSON.stringify(member).length + 1;
  return Array(Math.floor(inBody / room) - 1).fill(member);
});

/** Lists of small members, and of valid bodies, up to the largest body, in every JSON media type. */
function longBodies(operation: Operation, body: JsonSchema): { type: string; text: string }[] {
  const types = (operation.body?.types ?? []).filter((type) => type.endsWith('json'));
  const largest = (operation.bodyBytes ?? inBody) - 1_000;
  const members = ['{}', '1', JSON.stringify(body)];
  return types.flatMap((type) =>
    members.map((member) => {
      const others = `${member},`.repeat(Math.floor(largest / (member.length + 1)) - 1);
      return { type, text: `[${others}${member}]` };
    }),
  );
}

/**
 * Chooses texts: for each field those that were once slow, and some of all others, which continue where the last
 * field ended.
 */
function createTexts(): (length: number) => string[] {
  let next = 0;
  return (length) => {
    const all = hostileTexts(length);
    const others = Array.from({ length: textsInField }, () => all[next++ % all.length] ?? '');
    return [
      distinctNames(length),
      `${'a.'.repeat(length / 2)}://`,
      `${'/'.repeat(length)}x`,
      foreignHost(length),
      manyMarks(length),
      ...others,
    ];
  };
}

function toWire(
  operation: Operation,
  given: { parameters: JsonSchema; headers: JsonSchema; body: JsonSchema },
): WireRequest {
  const { segments, verb } = parsePathTemplate(operation.path);
  const inPath = new Set(segments.map(({ variable }) => variable));
  const path = segments.map(({ text, variable }) =>
    text.startsWith('*') ? encode(textOf(given.parameters[variable ?? ''] ?? 'abc')) : text,
  );
  const query = Object.entries(given.parameters)
    .filter(([name]) => !inPath.has(name))
    .map(([name, value]) => `${encode(name)}=${escapeInQuery(textOf(value))}`);
  const [type] = operation.body?.types ?? [];
  const isForm = type === 'application/x-www-form-urlencoded';
  return {
    method: operation.method,
    path: `/${path.join('/')}${verb === '' ? '' : `:${verb}`}?${query.join('&')}`.slice(0, 14_500),
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(given.headers as Record<string, string>),
    },
    body:
      type === undefined ? undefined : isForm ? writeForm(given.body) : JSON.stringify(given.body),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Escapes only what a query cannot hold, so that as much text as possible fits. */
const escapeInQuery = (text: string) => text.replaceAll(/[^!$'-*,-;=?-Z_a-z|~]/gu, encode);
