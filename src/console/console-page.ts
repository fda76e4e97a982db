/** A service that this server may run, by the name that TRADEWIND_SERVICES gives it. */
export type ServiceName = string;

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
