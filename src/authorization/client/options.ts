import type { JWK } from 'jose';
import type { Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { Vault } from './vault/vault.ts';

/**
 * The id of the client at an authorization server, and its secret if it has one.
 *
 * @example
 * ```ts
 * import type { ClientCredentials } from 'tradewind/client';
 *
 * export const askClientId = async (issuer: string): Promise<ClientCredentials> => ({
 *   clientId: `registered-by-hand-at-${new URL(issuer).host}`,
 * });
 * ```
 */
export type ClientCredentials = { readonly clientId: string; readonly clientSecret?: string };

/**
 * A private key to authenticate with (RFC 7523), as PEM text (PKCS 8) or JWK.
 *
 * @example
 * ```ts
 * import type { ClientKey } from 'tradewind/client';
 *
 * export const clientKey: ClientKey = { privateKey: process.env.CLIENT_KEY ?? '', algorithm: 'ES256' };
 * ```
 */
export type ClientKey = {
  readonly privateKey: string | JWK;
  /** The signature algorithm, such as `ES256`. */
  readonly algorithm: string;
  readonly keyId?: string;
};

/**
 * What the person needs to sign in on another device.
 *
 * @example
 * ```ts
 * import type { DeviceCode } from 'tradewind/client';
 *
 * export const showDeviceCode = ({ userCode, verificationUri }: DeviceCode) =>
 *   console.error(`Open ${verificationUri} and enter ${userCode}.`);
 * ```
 */
export type DeviceCode = {
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same address with the code in it, where the server gives one. */
  readonly verificationUriComplete: string | undefined;
  readonly expiresInSeconds: number;
};

/**
 * The audience of an assertion.
 *
 * @example
 * ```ts
 * import type { AssertionTarget } from 'tradewind/client';
 *
 * export const assertion = async ({ issuer }: AssertionTarget) => process.env[`JWT_${issuer}`] ?? '';
 * ```
 */
export type AssertionTarget = { readonly issuer: string; readonly resource: string | undefined };

/**
 * Everything but `serverUrl` may be left out.
 *
 * @example
 * ```ts
 * import type { AuthorizedFetchOptions } from 'tradewind/client';
 *
 * export const options: AuthorizedFetchOptions = {
 *   serverUrl: 'https://api.example.com/mcp',
 *   vault: new Map(),
 *   isInteractive: false,
 * };
 * ```
 */
export type AuthorizedFetchOptions = {
  /** The MCP server, such as `https://api.example.com/mcp`. Only requests to its origin get the token. */
  readonly serverUrl: string | URL;
  /** Shows a checked http(s) address to the person. Default: printed to stderr and opened by the system. */
  readonly openBrowser?: (url: string) => unknown;
  /** Default: sealed files in the user's configuration folder, or in `TRADEWIND_DATA_DIR`. */
  readonly vault?: Vault;
  /** Credentials made beforehand. With a secret or a key, `client_credentials` is tried before a person is asked. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The issuer that secret and registration token are for. Default: the first one that they are used at, which is stored. */
  readonly clientIssuer?: string | undefined;
  /** Where that is stored. Default: the vault. */
  readonly bindings?: Vault;
  readonly clientKey?: ClientKey;
  /** What to ask for, instead of what the server says it needs. */
  readonly scope?: string | undefined;

  /** A client ID metadata document, used as client id if the server accepts such documents. */
  readonly clientMetadataUrl?: string;
  /** The id of this program at a server that it belongs to, as its metadata says. Used there unregistered. */
  readonly builtInClientId?: string;
  /** What people read on the consent page. */
  readonly clientName?: string;
  readonly registrationToken?: string | undefined;
  /** Called if the server registers nobody and no client id was given. */
  readonly askClientId?: (issuer: string) => Promise<ClientCredentials>;
  /** HTTPS or on this machine. Default: `http://127.0.0.1:<free port>/callback`. */
  readonly redirectUri?: string | undefined;
  /** If given, the person may paste the address that the browser ended at. */
  readonly pasteRedirect?: (url: string, signal: AbortSignal) => Promise<string>;
  /** If given, the device flow is used. Throws `UNSUPPORTED` if the server has none. */
  readonly showDeviceCode?: (code: DeviceCode) => unknown;
  /** A JWT of a trusted identity provider, exchanged for a token (RFC 7523 section 2.1); nobody is asked. */
  readonly assertion?: string | ((target: AssertionTarget) => Promise<string>);
  /**
   * Gets a new grant even if one is held: for another scope, or another way to sign in. It replaces the old one, which
   * is revoked at a Tradewind server.
   */
  readonly isAnew?: boolean;
  /** `false`: throw `SIGN_IN_NEEDED` rather than ask a person. */
  readonly isInteractive?: boolean;
  /** How long the person may take. Default: 5 minutes. */
  readonly signInTimeoutMs?: number;

  /** Sent with discovery unless the request itself names a version. Default: `2025-03-26`. */
  readonly protocolVersion?: string;
  /** Sends the requests to the MCP server itself. */
  readonly fetch?: typeof fetch;
  /** PEM certificates to trust at the authorization server instead of the system's. */
  readonly certificateAuthorities?: string;
  readonly clock?: Omit<Clock, 'turn'>;
  readonly random?: Random;
};

/**
 * The credentials that a process was started with: `TRADEWIND_CLIENT_ID`, `TRADEWIND_CLIENT_SECRET`,
 * `TRADEWIND_REGISTRATION_TOKEN`, and `TRADEWIND_CLIENT_ISSUER`, which says whom they are for. A server on stdio has no other way to get any, since the authorization
 * flow does not run there; commands take theirs from here too. Empty values count as absent.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, credentialsFromEnvironment } from 'tradewind/client';
 *
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   ...credentialsFromEnvironment(),
 * });
 * ```
 */
export function credentialsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<
  AuthorizedFetchOptions,
  'clientId' | 'clientSecret' | 'clientIssuer' | 'registrationToken'
> {
  return {
    clientId: environment.TRADEWIND_CLIENT_ID || undefined,
    clientSecret: environment.TRADEWIND_CLIENT_SECRET || undefined,
    clientIssuer: environment.TRADEWIND_CLIENT_ISSUER || undefined,
    registrationToken: environment.TRADEWIND_REGISTRATION_TOKEN || undefined,
  };
}
