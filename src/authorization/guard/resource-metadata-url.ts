/** Where a resource is described: the well-known path precedes its own (RFC 9728 section 3.1). */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  const path = pathname === '/' ? '' : pathname;
  return `${origin}/.well-known/oauth-protected-resource${path}${search}`;
}
