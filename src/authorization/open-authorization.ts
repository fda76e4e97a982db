import type { Authorization, AuthorizationOptions } from './create-authorization.ts';

/** The authorization service, loaded only by a process that runs it. */
export async function openAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { createAuthorization } = await import('./create-authorization.ts');
  return createAuthorization(options);
}
