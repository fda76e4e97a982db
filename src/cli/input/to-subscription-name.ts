/** The name of a subscription or topic as it was typed: a bare id is that of a subscription. */
export function toSubscriptionName(given: string): string {
  return given.includes('/') ? given : `subscriptions/${given}`;
}
