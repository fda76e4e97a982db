import { z } from 'zod';
import type { Operation, Service } from '../../kernel/edge/operation.ts';

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z
      .string()
      .optional()
      .meta({ examples: ['initialize', 'tools/list', 'tools/call', 'resources/read', 'ping'] }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'JsonRpcMessage', description: 'A JSON-RPC 2.0 message of MCP.' });

const refusal = z
  .looseObject({
    error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
    error_description: z.string().optional(),
  })
  .meta({
    id: 'JsonRpcError',
    description:
      'The body of a refusal. If a token is missing or invalid, the body is an OAuth error.',
  });

const sessionHeaders = z.object({
  'mcp-session-id': z.string().optional().describe('The session.'),
  'mcp-protocol-version': z.string().optional().describe('The revision of MCP.'),
  'last-event-id': z.string().optional().describe('The event after which the stream resumes.'),
});

const declare = (
  given: Pick<Operation, 'id' | 'method' | 'summary'> & Partial<Operation>,
): Operation => ({
  path: '/mcp',
  description: `${given.summary}.`,
  parameters: z.object({}),
  headers: sessionHeaders,
  answer: { schema: message },
  scopes: [],
  errors: {
    400: 'The message is not an MCP message.',
    401: 'Send a token.',
    403: 'The token lacks a scope, or the page is not allowed.',
    404: 'The caller has no such session.',
    405: 'The MCP revision of the request does not use this HTTP method.',
    406: 'Accept names neither JSON nor server-sent events.',
    409: 'The session has a stream already.',
    413: 'The body is too large.',
    415: 'The body is not JSON.',
    429: 'Too many messages or streams.',
    503: 'The server is shutting down, or its sessions or streams are at the limit.',
  },
  ...given,
});

/** MCP over Streamable HTTP. Which scope a message needs is decided by the tool that it calls. */
export const contextService: Service = {
  name: 'MCP',
  description: 'Tools and resources for agents over MCP.',
  error: refusal,
  operations: [
    declare({
      id: 'mcp.post',
      method: 'POST',
      summary: 'Send a message',
      body: { types: ['application/json'], schema: message },
    }),
    declare({
      id: 'mcp.listen',
      method: 'GET',
      summary: 'Listen',
      answer: { type: 'text/event-stream' },
    }),
    declare({ id: 'mcp.end', method: 'DELETE', summary: 'End the session', answer: {} }),
  ],
};
