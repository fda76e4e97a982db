/** A scope, declared by the domain that requires it. The authorization server knows only declared scopes. */
export type ScopeDeclaration = {
  /** As clients ask for it, such as `swap.read` (RFC 6749 section 3.3). */
  readonly name: string;
  /** What people read when they are asked for consent: what the client will be able to do. */
  readonly description: string;
  /**
   * Who may hold it. `anyone`: a client for itself, or for any person who allows it. `admins`: only
   * the owner can allow it, and a client holds it for itself only if the operator created the client
   * and named the scope.
   */
  readonly holders: 'anyone' | 'admins';
  /** Whether a request that names no scope asks for it, where the client registered no other default. */
  readonly isDefault?: boolean;
};
