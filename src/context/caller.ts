/** Whom a valid token speaks for, as the guard in front of this service tells. Composition hands it in. */
export type ContextCaller = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  readonly isPerson: boolean;
  readonly scope: readonly string[];
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
};

/**
 * Who asks, or the finished answer to send back. `scope` is what the request needs; without a valid
 * token the challenge names `suggestedScope`. Called once for each request: a proof of possession
 * works only once.
 */
export type Protect = (
  request: Request,
  requirement: { readonly scope: readonly string[]; readonly suggestedScope: readonly string[] },
) => Promise<ContextCaller | Response>;

/** Tells the sessions of one caller from those of all others. */
export function callerKey({ subject, clientId }: ContextCaller): string {
  return JSON.stringify([subject, clientId]);
}
