import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/**
 * The same schema for the protocol library, which describes it as JSON Schema for each `tools/list` anew: here it is
 * described at its first use, for all servers and revisions. A list of all tools took milliseconds of the event loop (N1).
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

/** The library asks for one target alone. */
function once(describe: Describe): Describe {
  let described: ReturnType<Describe> | undefined;
  return (options) => {
    described ??= describe(options);
    return described;
  };
}
