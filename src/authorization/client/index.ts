// The door `tradewind/client`: the client side of authorization, for any MCP client.
export { authorizationBaseUrl } from '../protocol/base-url.ts';
export { createPkce, type Pkce } from '../protocol/pkce.ts';
export { ClientError, type ClientErrorCode } from './client-error.ts';
export { createAuthorizedFetch } from './create-authorized-fetch.ts';
export { credentialsFromEnvironment } from './credentials-from-environment.ts';
export { exchangeIdentity, type IdentityProvider } from './exchange-identity.ts';
export { type HeldGrant, readHeldGrants } from './held-grants/read-held-grants.ts';
export { type RevokedGrant, revokeGrants } from './held-grants/revoke-grants.ts';
export type {
  AssertionTarget,
  AuthorizedFetchOptions,
  ClientCredentials,
  ClientKey,
  DeviceCode,
} from './options.ts';
export { openSystemBrowser } from './sign-in/open-system-browser.ts';
export type { Keyring } from './vault/keyring.ts';
export { openDefaultVault } from './vault/open-default-vault.ts';
export { openVault, type VaultOptions } from './vault/open-vault.ts';
export type { Vault } from './vault/vault.ts';
