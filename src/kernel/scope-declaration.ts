/** A scope as the domain that asks for it declares it. The authorization server knows scopes only by these. */
export type ScopeDeclaration = {
  /** As clients ask for it, such as `swap.read` (RFC 6749 section 3.3). */
  readonly name: string;
  /** The words that people read when they are asked to allow it: what the client will be able to do. */
  readonly description: string;
  /**
   * Who may hold it. `anyone`: a client for itself, and a client for whoever allows it. `admins`: only
   * the owner allows it, and a client holds it for itself only where the operator made the client and
   * named the scope.
   */
  readonly holders: 'anyone' | 'admins';
  /** Whether a request that names no scope asks for it, where the client registered no other default. */
  readonly isDefault?: boolean;
};
