/** What the shell says of the server. */
export type Facts = {
  readonly version: string;
  /** The address at which people sign in. */
  readonly origin: string;
  readonly services: readonly string[];
};

export const facts: Facts = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=tradewind]')?.content ?? '{}',
);
