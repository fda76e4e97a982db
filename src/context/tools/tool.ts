import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { AskOptions } from '../use-cases.ts';

/** What a tool does to the world, as clients show it to people before they allow a call. */
export type ToolEffect = 'reads' | 'adds' | 'changes' | 'removes';

/** A tool as it is offered: what it takes and gives, the scope it needs, and how it is explained. */
export type ContextTool = {
  readonly name: string;
  readonly title: string;
  /** For agents: when to use it and what to do with the answer. */
  readonly description: string;
  readonly scope: string;
  readonly effect: ToolEffect;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Both schemas as clients read them. */
  readonly listed: {
    readonly input: StandardSchemaWithJSON;
    readonly output: StandardSchemaWithJSON;
  };
  /** Throws a `DomainError` whose message tells the agent how to correct the call. */
  run(input: unknown, options: AskOptions): Promise<object>;
  /** The answer in words, for clients that show text. */
  render(answer: object): string;
};

type ToolDeclaration<Input extends z.ZodObject> = Omit<ContextTool, 'input' | 'listed' | 'run'> & {
  readonly input: Input;
  run(input: z.output<Input>, options: AskOptions): Promise<object>;
};

/** Joins the parts of a tool, whose `run` then takes any input and parses it by the schema. */
export function defineTool<Input extends z.ZodObject>(tool: ToolDeclaration<Input>): ContextTool {
  const listed = { input: describeOnce(tool.input), output: describeOnce(tool.output) };
  return {
    ...tool,
    listed,
    run: async (input, options) => tool.run(tool.input.parse(input), options),
  };
}

/**
 * Wraps a schema so that its JSON Schema is generated once, at first use, for all servers and revisions. The protocol
 * library would generate it for each `tools/list`: a list of all tools took milliseconds of the event loop (N1).
 */
function describeOnce(schema: z.ZodObject): StandardSchemaWithJSON {
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
