// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export { vaultDirectory } from './client/vault/vault-directory.ts';
export { admissionOf, authorizationSettings } from './config.ts';
export type { Authorization } from './create-authorization.ts';
export { openAuthorization } from './open-authorization.ts';
export { authorizationScopes } from './scopes.ts';
export type { BuiltInClient } from './server/clients/built-in-clients.ts';
export { readOperatorCredential } from './server/clients/registration/read-operator-credential.ts';
export { forgetSealed } from './server/store/forget-sealed.ts';
export { authorizationMigrations } from './server/store/migrations/authorization-migrations.ts';
