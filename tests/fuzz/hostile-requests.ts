import type { Operation } from '../../src/kernel/operations/operation.ts';
import { parsePathTemplate } from '../../src/kernel/operations/path-template.ts';
import type { Service } from '../../src/kernel/operations/service.ts';
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

/** What the head of a request admits once it is escaped, and what a body admits. */
const [inHead, inBody] = [12_000, 60_000];
const nested = `${'['.repeat(inBody / 2)}${']'.repeat(inBody / 2)}`;

/** How many texts a field gets beside those that every field gets; the environment asks for more. */
const textsInField = Number(process.env.TEST_TEXTS ?? 2);

/**
 * Requests of an operation that carry a hostile text of the greatest admitted length in one field: each
 * parameter, header and field of the body in turn, all others being as the declaration wants them. Fields of the body, and
 * the body itself, are lists of as many members as fit, too.
 */
export function createHostileRequests() {
  const texts = createTexts();
  return (service: Service, operation: Operation): WireRequest[] => {
    const { parameters, headers, body } = schemasOf(service, operation);
    const isFirst = service.operations[0] === operation;
    const dice = createDice(createSeededFractions(1));
    // Only what is needed: something else that is refused would keep the field from being read.
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
      // What reads the headers of every request is the same for all operations of a service.
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

/** Each member is wrong, so that a reader which tells of every one has much to tell. */
const lists = [{}, 1, 'a'].map((member) => {
  const room = JSON.stringify(member).length + 1;
  return Array(Math.floor(inBody / room) - 1).fill(member);
});

/** Lists of small members, and of what the body should be, up to the largest body, in every type but that of forms. */
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
 * Chooses texts: for each field those that were slow once, and of all others some, beginning where the last
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

/** Escapes only what a query cannot hold, so that as much text as can be fits. */
const escapeInQuery = (text: string) => text.replaceAll(/[^!$'-*,-;=?-Z_a-z|~]/gu, encode);
