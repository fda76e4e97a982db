import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/**
 * Wraps a schema so that its JSON Schema is generated once, at first use, for all servers and revisions. The protocol
 * library would generate it for each `tools/list`: a list of all tools took milliseconds of the event loop (N1).
 */
export function describeOnce(schema: z.ZodObject): StandardSchemaWithJSON {
  const { jsonSchema, ...standard } = schema['~standard'];
  return {
    '~standard': {
      ...standard,
      jsonSchema: { input: once(jsonSchema.input), output: once(jsonSchema.output) },
    },
  };
}

type Describe = StandardSchemaWithJSON['~standard']['jsonSchema']['input'];

/** Ignores later options, because the library asks for only one target. */
function once(describe: Describe): Describe {
  let described: ReturnType<Describe> | undefined;
  return (options) => {
    described ??= describe(options);
    return described;
  };
}
