/** The URL that a text is, or `undefined`. As `URL.parse`, which Node.js 20 has not: the published packages run there too. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
