import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { z } from 'zod';
import { takesGzip } from './answer.ts';
import { flattenPath, parsePathTemplate } from './index-operations.ts';
import type { EdgeEnv, Mount } from './mount.ts';
import type { Operation, Service } from './operation.ts';

/** The version of the interfaces, which is not that of this package. */
const interfaceVersion = '0.1.0';

const scheme = 'oauth2';

/**
 * The OpenAPI 3.1.0 document of the services (Q1), made from the declarations that serve them. `origin` is the
 * address that clients should use. Pages for people are left out.
 */
export function describeOpenApi(all: readonly Service[], origin: string): OpenApiDocument {
  const services = all.filter(({ operations }) => operations.some(isForPrograms));
  const described = describeSchemas(services);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const service of services) {
    for (const operation of service.operations.filter(isForPrograms)) {
      const path = flattenPath(parsePathTemplate(operation.path));
      paths[path] ??= {};
      paths[path][operation.method.toLowerCase()] = describe(operation, { service, described });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tradewind',
      version: interfaceVersion,
      description: services.map(({ description }) => description).join(' '),
    },
    servers: [{ url: origin }],
    tags: services.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: described.schemas,
      parameters: Object.fromEntries(
        services.flatMap(sharedParameters).map((parameter) => [keyOf(parameter), parameter]),
      ),
      securitySchemes: describeSecurity(services, origin),
    },
  };
}

function isForPrograms({ answer }: Operation): boolean {
  return answer.type !== 'text/html';
}

type Surroundings = { readonly service: Service; readonly described: DescribedSchemas };

function describe(operation: Operation, { service, described }: Surroundings): OpenApiOperation {
  const { id, summary, description, body, answer, errors, scopes } = operation;
  const refusal = { 'application/json': { schema: described.reference(service.error) } };
  const refusals = { ...errors, 500: 'An error of the server.' };
  return {
    operationId: id,
    tags: [service.name],
    summary,
    description,
    parameters: [
      ...listParameters(operation),
      ...sharedParameters(service).map((shared) => ({
        $ref: `#/components/parameters/${keyOf(shared)}`,
      })),
    ],
    ...(body === undefined ? {} : { requestBody: { content: contentOf(body, described) } }),
    responses: {
      [answer.status ?? 200]: { description: 'The answer.', ...answerContent(answer, described) },
      ...Object.fromEntries(
        Object.entries(refusals).map(([code, meaning]) => [
          code,
          { description: meaning, content: refusal },
        ]),
      ),
    },
    ...(scopes.length === 0 ? {} : { security: scopes.map((scope) => ({ [scheme]: [scope] })) }),
  };
}

function answerContent(
  { type, schema }: Operation['answer'],
  described: DescribedSchemas,
): { content?: OpenApiContent } {
  if (schema)
    return { content: { [type ?? 'application/json']: { schema: described.reference(schema) } } };
  return type === undefined ? {} : { content: { [type]: { schema: { type: 'string' } } } };
}

function contentOf(
  { types, schema }: NonNullable<Operation['body']>,
  described: DescribedSchemas,
): OpenApiContent {
  return Object.fromEntries(types.map((type) => [type, { schema: described.reference(schema) }]));
}

function sharedParameters({ parameters }: Service): OpenApiParameter[] {
  return (parameters ? describeParameters(parameters) : []).map(({ name, ...rest }) => ({
    name,
    in: 'query',
    ...rest,
  }));
}

/** The name without characters that a key must not have, such as the dollar sign of `$.xgafv`. */
function keyOf({ name }: OpenApiParameter): string {
  return name.replaceAll(/[^\w-]/g, '');
}

/** Those of the path first, then the others of the operation. */
function listParameters(operation: Operation): OpenApiParameter[] {
  const { parameters, headers } = operation;
  const inPath = [...flattenPath(parsePathTemplate(operation.path)).matchAll(/\{(\w+)\}/g)];
  const names = inPath.map(([, name = '']) => name);
  const own = describeParameters(parameters);
  const unnamed = names.filter((name) => own.every((parameter) => parameter.name !== name));
  return [
    ...unnamed.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      description: 'A part of the name of the resource.',
      schema: { type: 'string' as const },
    })),
    ...own.map((parameter) => ({
      ...parameter,
      in: names.includes(parameter.name) ? ('path' as const) : ('query' as const),
    })),
    ...(headers ? describeParameters(headers) : []).map((parameter) => ({
      ...parameter,
      in: 'header' as const,
    })),
  ].map(({ name, in: place, ...rest }) => ({ name, in: place, ...rest }));
}

function describeSecurity(services: readonly Service[], origin: string): Record<string, object> {
  const scopes = new Set(services.flatMap(({ operations }) => operations.flatMap((o) => o.scopes)));
  if (scopes.size === 0) return {};
  const flow = {
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    scopes: Object.fromEntries([...scopes].map((scope) => [scope, ''])),
  };
  return { [scheme]: { type: 'oauth2', flows: { authorizationCode: flow } } };
}

/** The schemas of a document, and how the rest of the document refers to each. */
type DescribedSchemas = {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  reference(schema: z.ZodType): { $ref: string };
};

/**
 * Writes every body of the services as a JSON schema with a name: the one that its service gives it,
 * the `id` in its `meta`, or one made from the operation. Throws a `TypeError` if two have the same
 * name.
 */
function describeSchemas(services: readonly Service[]): DescribedSchemas {
  const registry = z.registry<{ id: string }>();
  const ids = new Set<string>();
  function name(schema: z.ZodType, otherwise: string): void {
    if (registry.has(schema)) return;
    const id = schema.meta()?.id ?? otherwise;
    if (ids.has(id)) {
      throw new TypeError(`Two schemas have the name ${id}: give one of them another by meta.`);
    }
    ids.add(id);
    registry.add(schema, { id });
  }
  for (const { schemas = {}, error, operations, name: service } of services) {
    for (const [id, schema] of Object.entries(schemas)) name(schema, id);
    name(error, `${service}Error`);
    for (const { id, body, answer } of operations) {
      if (answer.schema) name(answer.schema, `${id}Answer`);
      if (body) name(body.schema, `${id}Body`);
    }
  }
  return {
    schemas: toJsonSchemas(registry),
    reference: (schema) => referenceTo(registry.get(schema)?.id ?? ''),
  };
}

/** Writes the parameters of an operation, each as a JSON schema with its description, and whether it is needed. */
function describeParameters(parameters: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
    override,
  });
  return Object.entries(properties).map(([name, property]) => {
    // A JSON schema may also be true or false; that of a parameter never is.
    const { description = '', ...schema } = property as JsonSchema;
    return { name, required: required.includes(name), description, schema };
  });
}

function toJsonSchemas(registry: z.core.$ZodRegistry<{ id: string }>): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => referenceTo(id).$ref,
    override,
  });
  // Zod gathers schemas that have an `id` in their `meta` but occur only inside others under this name.
  const { __shared: shared, ...own } = schemas as Record<string, JsonSchema>;
  const all = { ...own, ...(shared?.$defs as Record<string, JsonSchema> | undefined) };
  const plain = Object.entries(all).map(
    ([id, { $schema: _dialect, $id: _id, id: _name, ...schema }]) => [id, schema],
  );
  const written = JSON.stringify(Object.fromEntries(plain));
  return JSON.parse(
    written.replaceAll(`${referenceTo('__shared').$ref}#/$defs/`, referenceTo('').$ref),
  );
}

/** Describes what a parameter's text means instead of a string, and drops the long patterns of dates. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  Object.assign(jsonSchema, jsonSchema.wire);
  delete jsonSchema.wire;
  if (jsonSchema.type !== 'string' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function referenceTo(id: string): { $ref: string } {
  return { $ref: `#/components/schemas/${id}` };
}

/** The part of OpenAPI 3.1 that our operations need. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    /** Parameters that all operations of a service accept. */
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** Any one of them is enough; absent if no token is needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
};

export type OpenApiParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};

type OpenApiResponse = { readonly description: string; readonly content?: OpenApiContent };

export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Serves the description of the declared operations for programs: `/openapi.json`. */
export function createReferenceMount(document: OpenApiDocument): Mount {
  const app = new Hono<EdgeEnv>();
  // Written and packed once: it is large, and anybody may ask for it as often as they like (F62).
  const plain = Buffer.from(JSON.stringify(document));
  const packed = gzipSync(plain);
  app.get('/openapi.json', (c) => {
    const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
    return takesGzip(c.req.raw)
      ? c.body(packed, 200, { ...headers, 'Content-Encoding': 'gzip' })
      : c.body(plain, 200, headers);
  });
  return { app, paths: { '/openapi.json': { origins: 'any' } } };
}
