import type { ScopeDeclaration } from '../kernel/edge/operation.ts';

/** The scope of subscriptions to everything of Chat (G5). */
export const customerScope = 'subscriptions.customer';

export const eventsScopes: readonly ScopeDeclaration[] = [
  {
    name: 'subscriptions.read',
    description: 'See your subscriptions, their operations and their deliveries',
    holders: 'anyone',
    isDefault: true,
  },
  {
    name: 'subscriptions.write',
    description: 'Create, change and delete subscriptions for you',
    holders: 'anyone',
  },
  {
    name: 'folders.read',
    description: 'See what happens in the watched folders of this server',
    holders: 'admins',
  },
  {
    name: customerScope,
    description: 'Get the events of every space and user of this server',
    holders: 'admins',
  },
  { name: 'events.publish', description: 'Publish events in your name', holders: 'anyone' },
];

/** Scopes of which one lets a caller read its subscriptions. */
export const readers = ['subscriptions.read', 'subscriptions.write'] as const;

/** The scope that lets a caller change them. */
export const writers = ['subscriptions.write'] as const;
