import { setTimeout } from 'node:timers/promises';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
// The pause that the suite asks for between two notifications.
const pauseMs = 50;

const defaults = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
} as const;

const titled = (...titles: string[]) =>
  titles.map((title, index) => ({ const: `value${index + 1}`, title }));
const options = ['option1', 'option2', 'option3'];
const choices = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: {
      type: 'string',
      oneOf: titled('First Option', 'Second Option', 'Third Option'),
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
    },
  },
} as const;

const person = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** Tools of the suite that talk to the client while they run, as revisions up to 2025-11-25 do. */
export function registerExchanges(server: McpServer): void {
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs while it runs.' }, async ({ mcpReq }) => {
      await mcpReq.log('info', 'Tool execution started');
      await setTimeout(pauseMs);
      await mcpReq.log('info', 'Tool processing data');
      await setTimeout(pauseMs);
      await mcpReq.log('info', 'Tool execution completed');
      return text('Logged.');
    });
  }
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is.' },
    async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        await setTimeout(pauseMs);
      }
      return text('Done.');
    },
  );
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: prompt } },
      ];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${'text' in content ? content.text : ''}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => elicit(context, { message, requestedSchema: person }),
  );
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Offers defaults.' },
    (context) =>
      elicit(context, { message: 'Please look at the defaults.', requestedSchema: defaults }),
  );
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Offers choices.' },
    (context) => elicit(context, { message: 'Please choose.', requestedSchema: choices }),
  );
}

async function elicit(
  { mcpReq }: ServerContext,
  asked: { message: string; requestedSchema: object },
) {
  // The suite prescribes the schemas above, of more kinds than the type has.
  const params = asked as Parameters<typeof mcpReq.elicitInput>[0];
  const { action, content } = await mcpReq.elicitInput(params);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}
