import { type DescribedSchemas, describeParameters, describeSchemas } from './describe-schemas.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from './open-api-document.ts';
import type { Operation } from './operation.ts';
import { flattenPath, parsePathTemplate } from './path-template.ts';
import type { Service } from './service.ts';

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
