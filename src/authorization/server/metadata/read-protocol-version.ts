import type { EdgeRequest } from '../../../kernel/http/messages/edge-request.ts';

const knownVersion = /^20\d\d-\d\d-\d\d$/;

/**
 * The revision of MCP that a client speaks, under either of the names that clients
 * use for the header; `undefined` where there is none or it is no date. Revisions compare as texts.
 */
export function readProtocolVersion(request: Pick<EdgeRequest, 'header'>): string | undefined {
  const version = request.header('ctx-protocol-version') ?? request.header('mcp-protocol-version');
  return version !== undefined && knownVersion.test(version) ? version : undefined;
}
