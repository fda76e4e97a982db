/** `subscriptions/{id}`, as the interface names a subscription. */
export function subscriptionName(id: string): string {
  return `subscriptions/${id}`;
}

/** The id or uid in `subscriptions/{id}`. */
export function idIn(name: string): string {
  return name.replace(/^subscriptions\//, '');
}

/** Its full name, which its events have as their source (E10.2). */
export function fullSubscriptionName(id: string, sourceHost: string): string {
  return `//${sourceHost}/${subscriptionName(id)}`;
}
