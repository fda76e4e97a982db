/** As long as browsers and proxies let a URL be. */
export const longestUrl = 2_048;
/** As long as the head of a request lets one be: with everything that one asks for in its query. */
export const longestRequestUrl = 16_384;
/** No name of a host is longer, and the rest of a URL is written in ASCII by whoever means well. */
const mostForeign = 253;

/**
 * The URL that a text is, seen from the base if there is one, or `undefined`. Everything that a caller says is an address is read here: to write a host of many foreign
 * letters in ASCII takes time that grows with their square, so that texts with more of them than a host can have are none [N1].
 * Not by `URL.parse`, which Node.js 20 has not: the published packages run there too.
 */
export function parseUrl(
  text: string,
  { base, longest = longestUrl }: { readonly base?: URL; readonly longest?: number } = {},
): URL | undefined {
  if (text.length > longest || hasManyForeign(text)) return undefined;
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

function hasManyForeign(text: string): boolean {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) count++;
  return count > mostForeign;
}
