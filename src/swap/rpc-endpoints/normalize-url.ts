/** One text for one endpoint, so that the same one from two lists counts once. */
export function normalizeUrl(text: string): string {
  const { href, pathname, search, hash } = new URL(text);
  return pathname === '/' && !search && !hash ? href.slice(0, -1) : href;
}
