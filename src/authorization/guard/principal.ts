/**
 * Whom a valid token speaks for.
 *
 * @example
 * ```ts
 * import type { Principal } from 'tradewind/guard';
 *
 * export const greet = ({ subject, isPerson }: Principal) =>
 *   isPerson ? `Hello, ${subject}.` : `Client ${subject} acts for itself.`;
 * ```
 */
export type Principal = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  /** Whether the subject is a person; else the client acts for itself. */
  readonly isPerson: boolean;
  readonly scope: readonly string[];
  /** The grant of the person that the token belongs to; none where the client acts for itself. */
  readonly grantId?: string;
  /** The token's own id (`jti`), for logs. */
  readonly tokenId: string;
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /**
   * Calls back when the token is revoked before it expires, so that a stream can end; the returned function stops
   * listening. Only the guard in the authorization server's own process is notified.
   */
  readonly onRevoked?: (callback: () => void) => () => void;
};

/**
 * Why a request is not let in, with everything its answer must say (RFC 6750 section 3).
 *
 * @example
 * ```ts
 * import type { Refusal } from 'tradewind/guard';
 *
 * export const toAnswer = ({ status, message, challenges }: Refusal) =>
 *   Response.json({ message }, { status, headers: challenges.map((one) => ['www-authenticate', one]) });
 * ```
 */
export type Refusal = {
  readonly status: 401 | 403;
  readonly reason: 'missing' | 'expired' | 'invalid' | 'insufficient_scope';
  /** The code in the challenge; none where no token came. */
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof';
  /** For people: what is wrong and what to do. */
  readonly message: string;
  /** Values of `WWW-Authenticate`, one for each scheme. */
  readonly challenges: readonly string[];
};

/**
 * The result of a check: the principal, or why the request is not let in.
 *
 * @example
 * ```ts
 * import type { GuardVerdict } from 'tradewind/guard';
 *
 * export const describe = ({ principal, refusal }: GuardVerdict) =>
 *   refusal === undefined ? `let in: ${principal.subject}` : `refused: ${refusal.reason}`;
 * ```
 */
export type GuardVerdict =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly principal?: undefined };

/**
 * What a request must bring.
 *
 * @example
 * ```ts
 * import type { Requirement } from 'tradewind/guard';
 *
 * export const either: Requirement = { scope: ['crm.read', 'crm.write'], isAnyEnough: true };
 * ```
 */
export type Requirement = {
  /** All of these scopes; an empty list asks for a valid token alone. */
  readonly scope: readonly string[];
  /** One of `scope` is enough instead of all. Challenges name the first one, which should be the least powerful. */
  readonly isAnyEnough?: boolean;
  /** Beside `scope`, one scope of each of these lists. Challenges name the first of a list that is lacking. */
  readonly oneOfEach?: readonly (readonly string[])[];
  /** The scopes that a challenge names instead of `scope` to a caller without a valid token: enough to begin with. */
  readonly suggestedScope?: readonly string[];
};

/**
 * Checks requests one by one; it remembers no session (S3).
 *
 * @example
 * ```ts
 * import type { Guard } from 'tradewind/guard';
 *
 * export async function answer(guard: Guard, request: Request): Promise<Response> {
 *   const { principal, refusal } = await guard.check(request, { scope: ['crm.read'] });
 *   if (refusal !== undefined) return Response.json(refusal.message, { status: refusal.status });
 *   return Response.json({ hello: principal.subject });
 * }
 * ```
 */
export type Guard = {
  /**
   * Returns the principal or the refusal, for services that write errors in a format of their own. Throws
   * `temporarily_unavailable` when the authorization server must be asked and does not answer.
   */
  check(request: Request, requirement?: Requirement): Promise<GuardVerdict>;
  /** Returns the principal, or the response to send: 401, 403, or 503 if the authorization server does not answer. */
  protect(request: Request, requirement?: Requirement): Promise<Principal | Response>;
};

/**
 * The metadata of a protected resource (RFC 9728), in which clients find the authorization server and the scopes.
 *
 * @example
 * ```ts
 * import type { ResourceMetadata } from 'tradewind/guard';
 *
 * export const serveMetadata = ({ path, document }: ResourceMetadata, request: Request) =>
 *   new URL(request.url).pathname === path ? Response.json(document) : undefined;
 * ```
 */
export type ResourceMetadata = {
  /** Where the protected server must answer with the document. */
  readonly path: string;
  readonly document: {
    readonly resource: string;
    readonly authorization_servers: readonly string[];
    readonly bearer_methods_supported: readonly string[];
    readonly scopes_supported?: readonly string[];
    readonly resource_name?: string;
  };
};

/**
 * A guard that also knows how its resource is described.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono';
 * import { honoGuard, type ResourceGuard } from 'tradewind/guard';
 *
 * export function protect(app: Hono, guard: ResourceGuard): void {
 *   app.get(guard.metadata.path, (c) => c.json(guard.metadata.document));
 *   app.use('/mcp', honoGuard(guard, { scope: ['crm.read'] }));
 * }
 * ```
 */
export type ResourceGuard = Guard & { readonly metadata: ResourceMetadata };
