// The door of the domain. It stays light: the service itself is loaded when a process opens it.
import type { Authorization, AuthorizationOptions } from './create-authorization.ts';

export { vaultDirectory } from './client/vault/vault-directory.ts';
export type { BuiltInClient } from './clients/clients.ts';
export { readOperatorCredential } from './clients/operator-credential.ts';
export { admissionOf, authorizationSettings } from './config.ts';
export type { Authorization } from './create-authorization.ts';
export { authorizationScopes } from './scopes.ts';
export { authorizationMigrations } from './store/migrations.ts';
export { forgetSealed } from './store/signing-key-store.ts';

/** The authorization service, loaded only by a process that runs it. */
export async function openAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { createAuthorization } = await import('./create-authorization.ts');
  return createAuthorization(options);
}
