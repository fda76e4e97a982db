import type { Queries } from '../../kernel/database/database.ts';
import type { Subscription } from './subscription.ts';

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

/**
 * Whether what was allowed may still reach a client: whoever signed in to allow it is not signed out by the identity
 * provider since (F85). Composition hands it in.
 */
export type IsSignedIn = (authority: {
  readonly clientId: string;
  /** Undefined where the client acts for itself. */
  readonly accountId: string | undefined;
}) => Promise<boolean>;

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

/** Which subscriptions a caller may monitor: everybody's, those of one person, or those of one principal. */
export type Reach =
  | { readonly of: 'everybody' }
  | { readonly of: 'person'; readonly userId: string; readonly account: string }
  | { readonly of: 'principal'; readonly principal: string };

/** A query for the next rows within reach, after a number. */
export type AfterWithin = {
  readonly reach: Reach;
  readonly after: number;
  readonly limit: number;
};

/**
 * An admin reaches everybody's subscriptions, and a person in the server's own console all of their own (K2). Through
 * any other client a person reaches only the subscriptions that this client created: otherwise it could rotate a
 * signing secret and learn the new one.
 */
export function reachOf(
  caller: EventsCaller,
  { isConsole }: { isConsole(clientId: string): boolean },
): Reach {
  if (isAdmin(caller)) return { of: 'everybody' };
  if (caller.isPerson && isConsole(caller.clientId)) {
    return { of: 'person', userId: caller.subject, account: accountOf(caller) };
  }
  return { of: 'principal', principal: principalOf(caller) };
}

export function isWithin(
  reach: Reach,
  { principal, userId }: Pick<Subscription, 'principal' | 'userId'>,
): boolean {
  switch (reach.of) {
    case 'everybody':
      return true;
    case 'person':
      return userId === reach.userId;
    case 'principal':
      return principal === reach.principal;
  }
}

/**
 * Who sees an event, provided they hold the scopes of its application: with `shared` everybody, with `own` only the
 * account that published it.
 */
export type EventVisibility = 'shared' | 'own';

/** Whose events a lane holds. */
export type LaneSight = {
  /** The account of its owner, see `accountOf`. */
  readonly account: string;
  /** With the visibility `own`, it gets the events of every account. */
  readonly seesAll: boolean;
  /** It got them once, so it may hold some. */
  readonly sawAll: boolean;
};

/**
 * Returns which events in a lane somebody may read again, by their publisher, which is '' for this server. The right to
 * see the events of every account is that of the lane and of the one who reads (F51).
 */
export function sightInto(
  { account, seesAll, sawAll }: LaneSight,
  { visibility, isAdmin }: { readonly visibility: EventVisibility; readonly isAdmin: boolean },
): (publisher: string) => boolean {
  if (visibility === 'shared' || !sawAll || (seesAll && isAdmin)) return () => true;
  return (publisher) => publisher === '' || accountOfPrincipal(publisher) === account;
}
