// The door `tradewind/client`: the client side of authorization, for any MCP client.
export { authorizationBaseUrl } from '../protocol/base-url.ts';
export { createPkce, type Pkce } from '../protocol/pkce.ts';
export { createAuthorizedFetch } from './authorized-fetch.ts';
export { ClientError, type ClientErrorCode } from './client-error.ts';
export { exchangeIdentity, type IdentityProvider } from './exchange-identity.ts';
export { type HeldGrant, type RevokedGrant, readHeldGrants, revokeGrants } from './held-grants.ts';
export type {
  AssertionTarget,
  AuthorizedFetchOptions,
  ClientCredentials,
  ClientKey,
  DeviceCode,
} from './options.ts';
export { credentialsFromEnvironment } from './options.ts';
export { openSystemBrowser } from './sign-in/open-system-browser.ts';
export type { Keyring, Vault } from './vault/vault.ts';
export { openDefaultVault, openVault, type VaultOptions } from './vault/vault.ts';
