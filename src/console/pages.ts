import type { ConsolePage } from './console-page.ts';

/** Where the authorization server sends the browser after a sign-in. */
export const callbackPath = '/console/callback';

/** Every page of the console, in the order of its navigation: by service, then what concerns them all. */
export const consolePages: readonly ConsolePage[] = [
  { path: '/', heading: 'Tradewind', module: 'home.ts', services: [] },
  {
    path: '/console/quote',
    heading: 'Quote',
    module: 'quote.ts',
    navigation: 'Quote',
    services: ['swap'],
  },
  {
    path: '/console/chains',
    heading: 'Chains',
    module: 'chains.ts',
    navigation: 'Chains',
    services: ['swap'],
  },
  {
    path: '/console/subscriptions',
    heading: 'Subscriptions',
    module: 'subscriptions.ts',
    navigation: 'Subscriptions',
    services: ['events'],
  },
  {
    path: '/console/subscriptions/:id',
    heading: 'Subscription',
    module: 'subscription.ts',
    services: ['events'],
  },
  {
    path: '/console/events',
    heading: 'Events',
    module: 'events.ts',
    navigation: 'Events',
    services: ['events'],
  },
  {
    path: '/console/applications',
    heading: 'Applications',
    module: 'applications.ts',
    navigation: 'Applications',
    services: ['events'],
  },
  {
    path: '/console/access',
    heading: 'Access',
    module: 'access.ts',
    navigation: 'Access',
    services: ['authorization'],
  },
  {
    path: '/console/system',
    heading: 'System',
    module: 'system.ts',
    navigation: 'System',
    services: ['authorization'],
  },
  {
    path: '/docs',
    heading: 'API reference',
    module: 'reference.ts',
    navigation: 'API reference',
    services: [],
  },
  {
    path: callbackPath,
    heading: 'Signing in',
    module: 'callback.ts',
    services: ['authorization'],
    hasSecret: true,
  },
];

/** The pages that a process with these services has. */
export function pagesFor(services: readonly string[]): readonly ConsolePage[] {
  return consolePages.filter((page) => page.services.every((name) => services.includes(name)));
}
