import type { Scope } from '../../protocol/scope.ts';

/** A path of this server that requires a token. */
export type ProtectedResource = {
  /** Where it is, such as `/mcp`. */
  readonly path: string;
  /** What people call it. */
  readonly name: string;
  /** The scopes that mean something there. */
  readonly scope: readonly Scope[];
};
