/** `subscriptions/{id}`, as the interface names a subscription. */
export function subscriptionName(id: string): string {
  return `subscriptions/${id}`;
}

/** The id or uid in `subscriptions/{id}`. */
export function idIn(name: string): string {
  return name.replace(/^subscriptions\//, '');
}

/** The full name of a subscription, which is the source of its events (E10.2). */
export function fullSubscriptionName(id: string, sourceHost: string): string {
  return `//${sourceHost}/${subscriptionName(id)}`;
}
