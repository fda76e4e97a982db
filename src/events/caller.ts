/** The caller, as the authorization in front of this service identified it. Composition hands it in. */
export type EventsCaller = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  readonly isPerson: boolean;
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

type Principal = Pick<EventsCaller, 'subject' | 'clientId' | 'isPerson'>;

/** The owner of subscriptions: one person through one client, or one client that acts for itself. */
export function principalOf({ subject, clientId, isPerson }: Principal): string {
  return isPerson ? `${clientId} for ${subject}` : clientId;
}

/** The account that events belong to: a person, through any client, or a client that acts for itself (F7). */
export function accountOf({ subject, isPerson }: Pick<Principal, 'subject' | 'isPerson'>): string {
  return isPerson ? `users/${subject}` : `clients/${subject}`;
}

/** Whether the token has full control of the server. */
export function isAdmin({ scope }: Pick<EventsCaller, 'scope'>): boolean {
  return scope.includes('admin');
}
