import type { ScopeDeclaration } from '../../kernel/scope-declaration.ts';

/** The name of a scope that this server has or had. */
export type Scope = string;

/** The scopes of this server, as its domains declared them. */
export type Scopes = {
  /** All of them, in the order in which they were declared. */
  names(): readonly Scope[];
  /** What an authorization request without `scope` asks for, where the client registered no other. */
  defaults(): readonly Scope[];
  /** The scopes in a space-separated text, each once; words that are no scope of this server are left out. */
  parse(text: string): readonly Scope[];
  /** What it allows, in words for people; of one that is no longer declared, its name. */
  describe(scope: Scope): string;
  /** Whether only admins hold it and hand it out. One that is not declared is nobody's. */
  isForAdmins(scope: Scope): boolean;
};

/** Makes the scopes of a server out of the declarations of its domains. */
export function createScopes(declarations: readonly ScopeDeclaration[]): Scopes {
  const declared = new Map(declarations.map((one) => [one.name, one]));
  const names = [...declared.keys()];
  const defaults = names.filter((name) => declared.get(name)?.isDefault);
  return {
    names: () => names,
    defaults: () => defaults,
    parse: (text) => [...new Set(text.split(' '))].filter((word) => declared.has(word)),
    describe: (scope) => declared.get(scope)?.description ?? scope,
    isForAdmins: (scope) => declared.get(scope)?.holders !== 'anyone',
  };
}
