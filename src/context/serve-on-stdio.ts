import type { ContextCaller } from './caller.ts';
import type { ContextUseCases } from './use-cases.ts';

/**
 * Serves the same tools to one local client over standard input and output, until the returned
 * function is called. No authorization runs here (S15): the use cases have the rights that the
 * process was started with. From now on standard output belongs to the protocol.
 */
export async function serveOnStdio(options: {
  readonly useCases: ContextUseCases;
  readonly version: string;
  readonly onError: (error: unknown) => void;
}): Promise<() => Promise<void>> {
  const [{ serveStdio }, { createProtocolServer }, { createTools }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./create-protocol-server.ts'),
    import('./tools/create-tools.ts'),
  ]);
  const { useCases, version, onError } = options;
  const tools = createTools(useCases);
  const { pairs, events } = useCases;
  const callerOf = () => whoeverStartedIt;
  const createServer = () =>
    createProtocolServer({ tools, pairs, events, callerOf, version, onError });
  const { close } = serveStdio(createServer, { onerror: onError });
  return close;
}

/** The use cases of a local process act with its own credentials, whoever started it. */
const whoeverStartedIt: ContextCaller = {
  subject: 'local',
  clientId: 'local',
  isPerson: true,
  scope: [],
  expiresAt: Number.POSITIVE_INFINITY,
};
