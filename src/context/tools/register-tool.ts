import type {
  CallToolResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { explainStoreFailure } from '../../kernel/edge/edge-error.ts';
import { DomainError } from '../../kernel/model/domain-error.ts';
import type { ContextCaller } from '../caller.ts';
import type { ContextTool, ToolEffect } from './tool.ts';

/** Every tool reaches external systems, so all are open-world. Tools that add are not idempotent. */
const annotationsOf = {
  reads: { readOnlyHint: true, openWorldHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  changes: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  removes: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
} as const satisfies Record<ToolEffect, ToolAnnotations>;

/**
 * Registers a tool on a protocol server. Its answer is sent as structured content, in words, and as
 * the JSON text that clients before revision 2025-06-18 read. A refusal becomes a tool error that
 * says how to correct the call. Of any other error the client learns only that it happened, and
 * `onError` gets it.
 *
 * Does not check the scope: that happens before a request reaches the server.
 */
export function registerTool(
  server: McpServer,
  tool: ContextTool,
  options: {
    callerOf(context: ServerContext): ContextCaller;
    readonly onError: (error: unknown) => void;
  },
): void {
  const { name, title, description, listed, output, effect } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: listed.input,
      outputSchema: listed.output,
      annotations: annotationsOf[effect],
    },
    async (given, context): Promise<CallToolResult> => {
      try {
        // Drops fields that an upstream added and the schema lacks: they would fail strict clients.
        const asked = { caller: options.callerOf(context), signal: context.mcpReq.signal };
        const answer = output.parse(await tool.run(given, asked));
        return {
          content: [
            { type: 'text', text: tool.render(answer) },
            { type: 'text', text: JSON.stringify(answer) },
          ],
          structuredContent: answer,
        };
      } catch (error) {
        if (!(error instanceof DomainError)) options.onError(error);
        const told = explainStoreFailure(error) ?? error;
        return { content: [{ type: 'text', text: explain(told) }], isError: true };
      }
    },
  );
}

function explain(error: unknown): string {
  if (!(error instanceof DomainError)) {
    return 'INTERNAL_ERROR: Something went wrong on this server; its log says what. Try again later.';
  }
  const { code, message, details } = error;
  return `${code}: ${message}${details === undefined ? '' : `\nDetails: ${JSON.stringify(details)}`}`;
}
