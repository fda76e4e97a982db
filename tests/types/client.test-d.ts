import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  type Vault,
} from '../../src/authorization/client/index.ts';

// Checked by the compiler and never run: what users of `tradewind/client` may rely on.

/** Only the address is needed, and the result is a fetch like any other. */
export const fetchAuthorized: typeof fetch = await createAuthorizedFetch({
  serverUrl: 'https://api.example.com/mcp',
});

/** A map is a vault. */
export const vault: Vault = new Map<string, string>();

/** Environment variables fit as they are. */
export const credentials: AuthorizedFetchOptions = {
  serverUrl: new URL('https://api.example.com/mcp'),
  clientId: process.env.TRADEWIND_CLIENT_ID,
  clientSecret: process.env.TRADEWIND_CLIENT_SECRET,
};

// @ts-expect-error: an address is needed
export const nowhere: AuthorizedFetchOptions = {};
