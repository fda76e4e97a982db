import type { Client } from './client.ts';

/** What a client says of itself, once it is checked. */
export type ClientMetadata = Pick<
  Client,
  | 'name'
  | 'uri'
  | 'redirectUris'
  | 'grantTypes'
  | 'authentication'
  | 'jwks'
  | 'jwksUri'
  | 'applicationType'
  | 'requiresDpop'
> & {
  /** The scopes it named, where it named any of this server's. */
  readonly scope: Client['scope'] | undefined;
};
