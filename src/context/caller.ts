import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Connection, OwnConnection } from './connection.ts';

/** The principal of a valid token, as the guard in front of this service found it. Composition hands it in. */
export type ContextCaller = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  readonly isPerson: boolean;
  /** What the person allowed the client, by which the token was issued. */
  readonly grantId?: string | undefined;
  readonly scope: readonly string[];
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /**
   * Calls back when the token is revoked before it expires, if that is known here; the returned function stops
   * listening.
   */
  readonly onRevoked?: (callback: () => void) => () => void;
};

/**
 * Returns the caller, or the finished response to send back. `scope` is what the request needs; without a
 * valid token the challenge names `suggestedScope`. Called once for each request: a proof of possession works
 * only once.
 */
export type Protect = (
  request: Request,
  requirement: {
    readonly scope: readonly string[];
    /** Beside `scope`, one scope of each of these lists. */
    readonly oneOfEach?: readonly (readonly string[])[];
    readonly suggestedScope: readonly string[];
  },
) => Promise<ContextCaller | Response>;

/** The owner key of a caller's sessions. */
export function callerKey({ subject, clientId }: ContextCaller): string {
  return JSON.stringify([subject, clientId]);
}

/** The account that sessions and streams count for: a person, through any client, or a client that acts for itself. */
export function accountKey({ subject, isPerson }: ContextCaller): string {
  return JSON.stringify([isPerson, subject]);
}

/** The caller in the form in which the library passes it to request handlers, without the token. */
export function toAuthInfo(caller: ContextCaller, connection?: Connection): AuthInfo {
  const { clientId, scope, expiresAt } = caller;
  return {
    token: '',
    clientId,
    scopes: [...scope],
    expiresAt: Math.floor(expiresAt / 1_000),
    extra: { caller, connection },
  };
}

/** The caller of a request that was passed to the library with {@link toAuthInfo}. */
export function callerOf({ http }: ServerContext): ContextCaller {
  // Every request of this endpoint is handed over with it, and nobody else writes there.
  return http?.authInfo?.extra?.caller as ContextCaller;
}

/** The connection of a request that was passed to the library with {@link toAuthInfo}. */
export function connectionOf({ http }: ServerContext): Connection | undefined {
  return http?.authInfo?.extra?.connection as Connection | undefined;
}

/** One admitted request. `signal` fires when its streams have to end. */
export type ContextRequest = {
  readonly caller: ContextCaller;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly connection: OwnConnection;
};
