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

/** A service that this server may run, by the name that TRADEWIND_SERVICES gives it. */
type ServiceName = string;

/** One page of the console: a line in `pages.ts` and a module in `browser/pages`. */
export type ConsolePage = {
  /** As Hono writes it: `/console/subscriptions/:id`. */
  readonly path: `/${string}`;
  /** The `h1`, also the title of the window. A page about one item replaces it by the item's name. */
  readonly heading: string;
  /** The file in `browser/pages`, which calls `mountPage`. */
  readonly module: `${string}.ts`;
  /** What the navigation calls it; absent for a page that is reached from another one. */
  readonly navigation?: string;
  /** Services without which there is nothing to show. */
  readonly services: readonly ServiceName[];
  /** The address holds a secret, which the access log leaves out. */
  readonly hasSecret?: boolean;
};
