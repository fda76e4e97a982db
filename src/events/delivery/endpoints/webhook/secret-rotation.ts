import type { WebhookSecret } from '../endpoint.ts';

/**
 * The secrets of a webhook as they are stored: that in force on the first line, and on a second one
 * when its predecessor ends and what that is.
 */
export function readSecrets(stored: string): readonly WebhookSecret[] {
  const [secret = '', previous = ''] = stored.split('\n');
  const [, until, old] = /^(\d+) (.+)$/.exec(previous) ?? [];
  if (until === undefined || old === undefined) return [{ secret }];
  return [{ secret }, { secret: old, until: Number(until) }];
}

/**
 * Puts a secret in force; the one before signs beside it until a time (E10.23). Of an earlier
 * rotation that is still under way the oldest secret ends at once, so that there are never more than two.
 */
export function rotateSecrets(stored: string, next: { secret: string; until: number }): string {
  const [current] = stored.split('\n');
  return `${next.secret}\n${next.until} ${current}`;
}
