import type { Brand } from '../../kernel/model/brand.ts';
import type { Scope, Scopes } from '../protocol/scope.ts';

export type ClientId = Brand<string, 'ClientId'>;

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof grantTypes)[number];

/** The grant types that need a person's consent. A client gets any other grant by itself. */
const consentedGrantTypes: readonly GrantType[] = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
];

/** Whether a grant rests on the consent of a person. */
export function needsConsent(grantType: GrantType): boolean {
  return consentedGrantTypes.includes(grantType);
}

/** How a client proves who it is at the token endpoint; `none` is a public client. */
export const clientAuthentications = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

/** Whether a client that authenticates so has a secret. */
export function hasSecret(authentication: ClientAuthentication): boolean {
  return authentication === 'client_secret_basic' || authentication === 'client_secret_post';
}

/** A program that may ask for tokens. */
export type Client = {
  readonly clientId: ClientId;
  /** Registered by itself, made by the operator, described by the document its id points to, or part of this server. */
  readonly origin: 'registered' | 'operator' | 'document' | 'built-in';
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly authentication: ClientAuthentication;
  /** SHA-256 of the secret, for clients that have one. */
  readonly secretHash: string | undefined;
  /** Public keys of a client that signs assertions: the set itself, or where it is read. */
  readonly jwks: { readonly keys: readonly object[] } | undefined;
  readonly jwksUri: string | undefined;
  /** What it may ask for; never `admin` where it acts for itself. */
  readonly scope: readonly Scope[];
  /** What it gets where it asks for no scope. */
  readonly defaultScope: readonly Scope[];
  readonly applicationType: 'native' | 'web';
  /** It only takes tokens that are bound to a key (RFC 9449 section 5.2). */
  readonly requiresDpop: boolean;
  readonly createdAt: number;
  /**
   * It is a page of this server. A person who signs in there is not asked for consent, and its answers go only to its
   * redirect URI, not even to another port of this machine (K11).
   */
  readonly isOwnPage?: boolean;
  /** It registered itself and nobody has used it yet: unless {@link KeepClient} is called, it is soon forgotten. */
  readonly isUnused?: boolean;
  /** When it last got a token, up to a minute late; nothing where it never did, or is not registered. */
  readonly lastUsedAt?: number | undefined;
};

/**
 * Finds a client by its id, wherever it comes from; `undefined` for an unknown or expired id. Throws `invalid_client`
 * for the address of a document that describes no client.
 */
export type FindClient = (clientId: string) => Promise<Client | undefined>;

/** Tells that a client has been used, so that its registration stays. */
export type KeepClient = (clientId: ClientId) => Promise<unknown>;

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

/**
 * Makes a client from its own metadata and the facts that the server adds.
 *
 * The scopes it named limit a client that the operator made and one that acts for itself. For other
 * clients they are only the default: such a client could register again with more, it asks for more when
 * a challenge tells it to, and a person decides each time. A client that acts for itself holds a scope
 * for admins only if the operator made it and named that scope.
 */
export function clientFromMetadata(
  metadata: ClientMetadata,
  facts: Pick<Client, 'clientId' | 'origin' | 'secretHash' | 'createdAt'> &
    Pick<Client, 'isUnused' | 'lastUsedAt'>,
  scopes: Scopes,
): Client {
  const actsForItself = metadata.grantTypes.includes('client_credentials');
  const isByOperator = facts.origin === 'operator';
  const isAllowed = (scope: Scope) => !actsForItself || !scopes.isForAdmins(scope);
  // No client holds a scope that was removed.
  const named = metadata.scope?.filter(
    (one) => scopes.has(one) && (isByOperator || isAllowed(one)),
  );
  const isBound = isByOperator || actsForItself;
  return {
    ...facts,
    ...metadata,
    scope: isBound && named !== undefined ? named : scopes.names().filter(isAllowed),
    defaultScope: named !== undefined && (isBound || named.length > 0) ? named : scopes.defaults(),
  };
}
