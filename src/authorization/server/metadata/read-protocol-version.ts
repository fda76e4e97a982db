const knownVersion = /^20\d\d-\d\d-\d\d$/;

/**
 * The revision of the context protocol that a client speaks, under either of the names that clients
 * use for the header; `undefined` where there is none or it is no date. Revisions compare as texts.
 */
export function readProtocolVersion(headers: Headers): string | undefined {
  const version = headers.get('ctx-protocol-version') ?? headers.get('mcp-protocol-version');
  return version !== null && knownVersion.test(version) ? version : undefined;
}
