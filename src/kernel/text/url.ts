/** The longest URL that browsers and proxies allow. */
export const longestUrl = 2_048;
/** The longest URL that fits into the head of a request, for those with everything in the query. */
export const longestRequestUrl = 16_384;
/** No host name is longer, and honest clients write the rest of a URL in ASCII. */
const mostForeign = 253;

/**
 * Parses a URL, relative to the base if given; `undefined` if it is none. All URLs from callers are parsed here: converting a
 * host of many non-ASCII letters to ASCII takes time that grows with the square of their number, so texts with more of them than
 * a host can have are refused [N1]. Does not use `URL.parse`, which Node.js 20 lacks: the published packages run there too.
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
