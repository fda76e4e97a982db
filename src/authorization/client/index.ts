// The door `tradewind/client`: the client side of authorization, for any context client.
export { authorizationBaseUrl } from '../protocol/base-url.ts';
export { createPkce, type Pkce } from '../protocol/pkce.ts';
export type { ClientKey } from './authenticate-client.ts';
export type { DeviceCode } from './authorize-device.ts';
export { ClientError, type ClientErrorCode } from './client-error.ts';
export { createAuthorizedFetch } from './create-authorized-fetch.ts';
export { credentialsFromEnvironment } from './credentials-from-environment.ts';
export { exchangeIdentity, type IdentityProvider } from './exchange-identity.ts';
export { openSystemBrowser } from './open-system-browser.ts';
export type { AssertionTarget, AuthorizedFetchOptions, ClientCredentials } from './options.ts';
export { type HeldGrant, readHeldGrants } from './read-held-grants.ts';
export { type RevokedGrant, revokeGrants } from './revoke-grants.ts';
export type { Keyring } from './vault/keyring.ts';
export { openDefaultVault } from './vault/open-default-vault.ts';
export { openVault, type VaultOptions } from './vault/open-vault.ts';
export type { Vault } from './vault/vault.ts';
