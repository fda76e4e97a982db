import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { ContextCaller } from './caller.ts';
import { type EventsRegistration, eventCapabilities, registerEvents } from './register-events.ts';
import type { PairWatches } from './resources/pair-watches.ts';
import { registerPairs } from './resources/register-pairs.ts';
import type { SessionPairs } from './resources/session-pairs.ts';
import { registerTool } from './tools/register-tool.ts';
import type { ContextTool } from './tools/tool.ts';
import type { EventUseCases, PairUseCases } from './use-cases.ts';

export type ProtocolServerOptions = {
  readonly tools: readonly ContextTool[];
  readonly pairs?: PairUseCases | undefined;
  /** The caller of this request: a session outlives tokens, and scopes grow. */
  callerOf(context: ServerContext): ContextCaller;
  readonly version: string;
  /** See {@link registerPairs}. */
  readonly keepPairs?: KeepPairs | undefined;
  readonly onError: (error: unknown) => void;
  readonly events?: EventUseCases | undefined;
} & Pick<EventsRegistration, 'connectionOf' | 'listeners'>;

/** Makes the record of the pairs that a session watches. */
export type KeepPairs = (watches: PairWatches) => SessionPairs;

const instructions =
  'Tradewind quotes token swaps over on-chain pools, with the transaction ready to sign, and sends notifications of changes. Amounts are digits in the smallest unit of a token. Begin with list_chains and list_tokens if the chain or a token is unknown; get_swap_quote never sends anything. Prices of pairs are resources that can be subscribed to.';

/** A protocol server for one session or one request. The tools are made once and shared by all. */
export function createProtocolServer(options: ProtocolServerOptions): McpServer {
  const { tools, pairs, events, version } = options;
  const server = new McpServer(
    { name: 'tradewind', title: 'Tradewind', version },
    {
      instructions,
      capabilities: {
        tools: { listChanged: false },
        ...(pairs ? { resources: { listChanged: false, subscribe: true } } : {}),
        ...(events ? eventCapabilities : {}),
      },
    },
  );
  for (const tool of tools) registerTool(server, tool, options);
  if (pairs) registerPairs(server, pairs, options);
  if (events) registerEvents(server, { ...options, events });
  return server;
}
