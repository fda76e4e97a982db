import type { Queries } from '../kernel/database/database.ts';

/** The caller, as the authorization in front of this service identified it. Composition hands it in. */
export type EventsCaller = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  readonly isPerson: boolean;
  /** What the person allowed the client, by which the token was issued. */
  readonly grantId?: string | undefined;
  readonly scope: readonly string[];
  /** When the token ends, in milliseconds since the epoch; streams end with it. */
  readonly expiresAt: number;
  /**
   * Calls back when the token is revoked before it expires, if that is known here; the returned function stops
   * listening.
   */
  readonly onRevoked?: (callback: () => void) => () => void;
};

/**
 * Checks the token of a request, which must have one of the scopes; a challenge names the first of them. It never
 * throws for a bad token.
 */
export type IdentifyCaller = (
  request: Request,
  scopes: readonly string[],
) => Promise<
  | { readonly caller: EventsCaller; readonly refusal?: undefined }
  | {
      readonly refusal: {
        readonly reason: 'missing' | 'expired' | 'invalid' | 'insufficient_scope';
        readonly message: string;
        /** Values of `WWW-Authenticate`. */
        readonly challenges: readonly string[];
      };
      readonly caller?: undefined;
    }
>;

/**
 * The scopes that a client holds for a person, or for itself, by what is stored now; none once any of it was withdrawn,
 * or the given grant is gone. In a transaction nobody withdraws them before it ends. Composition hands it in.
 */
export type FindHeldScopes = (
  queries: Queries,
  authority: {
    readonly clientId: string;
    /** Undefined where the client acts for itself. */
    readonly accountId: string | undefined;
    readonly grantId?: string | undefined;
  },
) => Promise<readonly string[]>;

type Principal = Pick<EventsCaller, 'subject' | 'clientId' | 'isPerson'>;

/** The owner of subscriptions: one person through one client, or one client that acts for itself. */
export function principalOf({ subject, clientId, isPerson }: Principal): string {
  return isPerson ? `${clientId} for ${subject}` : clientId;
}

/** The account that events belong to: a person, through any client, or a client that acts for itself (F7). */
export function accountOf({ subject, isPerson }: Pick<Principal, 'subject' | 'isPerson'>): string {
  return isPerson ? `users/${subject}` : `clients/${subject}`;
}

/** The account of a principal, as `principalOf` writes it; undefined for the server itself. */
export function accountOfPrincipal(principal: string): string | undefined {
  if (principal === '') return undefined;
  const [clientId, subject] = principal.split(' for ');
  return subject === undefined ? `clients/${clientId}` : `users/${subject}`;
}

/** Whether the token has full control of the server. */
export function isAdmin({ scope }: Pick<EventsCaller, 'scope'>): boolean {
  return scope.includes('admin');
}
