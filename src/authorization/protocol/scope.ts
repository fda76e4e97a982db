/** Every scope there is, with the words that people read when they are asked for it. */
export const scopes = {
  'swap.read': 'Ask for swap quotes at a higher rate',
  'subscriptions.read': 'See your subscriptions, their operations and their deliveries',
  'subscriptions.write': 'Create, change and delete subscriptions for you',
  'events.publish': 'Publish events in your name',
  admin: 'Manage clients, accounts and applications of this server',
} as const;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as readonly Scope[]; // the keys of a literal are its type

/** What an authorization request without `scope` asks for, where the client registered no other. */
export const defaultScope: readonly Scope[] = ['swap.read', 'subscriptions.read'];

function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** The scopes in a space-separated text, each once; words that are no scope of this server are left out. */
export function parseScope(text: string): readonly Scope[] {
  return [...new Set(text.split(' '))].filter(isScope);
}
