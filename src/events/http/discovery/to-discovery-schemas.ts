import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** The schemas of messages and of those they refer to, by id, as a discovery document writes them. */
export function toDiscoverySchemas(schemas: readonly z.ZodType[]): JsonSchema {
  const described: JsonSchema = {};
  for (const schema of new Set(schemas)) {
    const { $defs = {}, ...whole } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    });
    const own = schema.meta()?.id;
    for (const [id, definition] of [...Object.entries($defs), ...(own ? [[own, whole]] : [])]) {
      described[String(id)] ??= { id, ...describe(definition as JsonSchema) };
    }
  }
  return described;
}

/** The part of JSON Schema that discovery documents know. Other rules of a field are left out. */
function describe(schema: JsonSchema): JsonSchema {
  const { type, $ref, properties, items, additionalProperties, format } = schema;
  if (typeof $ref === 'string') {
    return { $ref: $ref.replace('#/$defs/', ''), ...keep(schema, ['description']) };
  }
  return {
    ...(type === undefined ? { type: 'any' } : { type }),
    ...(typeof format === 'string' ? { format } : {}),
    ...keep(schema, ['description', 'readOnly', 'enum', 'enumDescriptions']),
    ...(properties === undefined ? {} : { properties: describeAll(properties as JsonSchema) }),
    ...(items === undefined ? {} : { items: describe(items as JsonSchema) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: describe(additionalProperties as JsonSchema) }
      : {}),
  };
}

function describeAll(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, describe(property as JsonSchema)]),
  );
}

function keep(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}
