/**
 * Whether subscriptions may deliver to a NATS subject (F10): it is one of the prefixes that the operator named, or lies
 * below one, token by token. Subjects of this server's own bus, which begin with `tradewind`, and those that NATS uses
 * itself are never allowed, even if the operator named them.
 */
export function isAllowedSubject(subject: string, prefixes: readonly string[]): boolean {
  if (/^(tradewind([-.]|$)|[$_])/i.test(subject)) return false;
  return prefixes.some((prefix) => {
    const whole = prefix.replace(/\.>?$/, '');
    return subject === whole || subject.startsWith(`${whole}.`);
  });
}
