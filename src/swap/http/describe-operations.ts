import { z } from 'zod';
import {
  chain,
  errorEnvelope,
  routeLeg,
  successEnvelope,
  swapResponseData,
  token,
  transaction,
} from './answer-schemas.ts';
import type { ErrorStatus, Operation } from './operation.ts';

/** The part of OpenAPI 3.1 that this interface needs. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: OpenApiOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
};

export type OpenApiParameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};

type OpenApiResponse = {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
};

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The version of the interface, which is not that of this package. */
const interfaceVersion = '0.1.0';

const errorMeanings = {
  400: 'INVALID_PARAMS: details names every bad parameter. UNSUPPORTED_CHAIN: details lists the chains served.',
  429: 'RATE_LIMITED: Retry-After says how many seconds to wait.',
  502: 'UPSTREAM_ERROR: neither an RPC endpoint of the chain nor an upstream server could answer.',
  503: 'NOT_READY: details says what stands in the way.',
} as const satisfies Record<ErrorStatus, string>;

/**
 * The OpenAPI 3.1.0 document of the operations (Q1), made from the schemas that read their parameters
 * and type their answers. `serverUrl` is the address that clients are told to use.
 */
export function describeOperations(
  operations: readonly Operation[],
  serverUrl: string,
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Swap quotes',
      version: interfaceVersion,
      description:
        'Quotes for exchanging one on-chain token for another, with the transaction to sign. No key is needed.',
    },
    servers: [{ url: serverUrl }],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: describeOperation(operation) }]),
    ),
    components: { schemas: describeSchemas(operations) },
  };
}

function describeOperation(operation: Operation): OpenApiOperation {
  const { id, summary, description, errors } = operation;
  const errorSchema = reference('ErrorEnvelope');
  return {
    operationId: id,
    summary,
    description,
    parameters: describeParameters(operation),
    responses: {
      200: response('The answer.', reference(envelopeName(operation))),
      ...Object.fromEntries(
        errors.map((status) => [status, response(errorMeanings[status], errorSchema)]),
      ),
      500: response('INTERNAL_ERROR: a fault of the server.', errorSchema),
    },
  };
}

function describeParameters({ path, parameters }: Operation): OpenApiParameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', override });
  return Object.entries(properties).map(([name, property]) => {
    // A JSON schema may also be true or false; that of a parameter never is.
    const { description = '', ...schema } = property as JsonSchema;
    const isInPath = path.includes(`{${name}}`);
    const isRequired = required.includes(name);
    return { name, in: isInPath ? 'path' : 'query', required: isRequired, description, schema };
  });
}

function describeSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const named = {
    Token: token,
    Transaction: transaction,
    RouteLeg: routeLeg,
    SwapResponseData: swapResponseData,
    Chain: chain,
    ErrorEnvelope: errorEnvelope,
  };
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const operation of operations) {
    registry.add(successEnvelope(operation.data), { id: envelopeName(operation) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => reference(id).$ref,
    override,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

/** Says what a parameter's text means instead of that it is text, and keeps dates readable. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  Object.assign(jsonSchema, jsonSchema.wire);
  delete jsonSchema.wire;
  if (jsonSchema.type !== 'string' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function envelopeName({ id }: Operation): string {
  return `${id.replace(/^(get|list)/, '')}Envelope`;
}

function reference(id: string): { $ref: string } {
  return { $ref: `#/components/schemas/${id}` };
}

function response(description: string, schema: JsonSchema): OpenApiResponse {
  return { description, content: { 'application/json': { schema } } };
}
