/**
 * The authorization base URL of an MCP server: its scheme, host and port, with any path, query
 * and fragment discarded (MCP 2025-03-26, section "Authorization Base URL").
 *
 * Throws a TypeError when the address is no http or https URL.
 *
 * @example
 * ```ts
 * import { authorizationBaseUrl } from 'tradewind/client';
 *
 * console.log(authorizationBaseUrl('https://api.example.com/v1/mcp')); // https://api.example.com
 * ```
 */
export function authorizationBaseUrl(serverUrl: string | URL): string {
  const url = new URL(serverUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(
      `A server address must begin with https:// or http://, and this one begins with ${url.protocol}`,
    );
  }
  return url.origin;
}
