import { z } from 'zod';
import type { JsonSchema } from './open-api-document.ts';
import type { Service } from './service.ts';

/** The schemas of a document, and how the rest of the document refers to each. */
export type DescribedSchemas = {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  reference(schema: z.ZodType): { $ref: string };
};

/**
 * Writes every body of the services as a JSON schema with a name: the one that its service gives it,
 * the `id` in its `meta`, or one made from the operation. Throws a `TypeError` if two have the same
 * name.
 */
export function describeSchemas(services: readonly Service[]): DescribedSchemas {
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
export function describeParameters(parameters: z.ZodObject) {
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
