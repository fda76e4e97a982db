// The door `tradewind/client`: the client side of authorization, for any context client.
export { authorizationBaseUrl } from '../protocol/base-url.ts';
export { createPkce, type Pkce } from '../protocol/pkce.ts';
