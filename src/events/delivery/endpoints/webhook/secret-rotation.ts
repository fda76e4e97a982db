import type { WebhookSecret } from '../endpoint.ts';

/**
 * Reads the stored secrets of a webhook. The first line holds the current secret; the second, if any, holds when the
 * previous secret ends, and that secret.
 */
export function readSecrets(stored: string): readonly WebhookSecret[] {
  const [secret = '', previous = ''] = stored.split('\n');
  const [, until, old] = /^(\d+) (.+)$/.exec(previous) ?? [];
  if (until === undefined || old === undefined) return [{ secret }];
  return [{ secret }, { secret: old, until: Number(until) }];
}

/**
 * Puts a secret in force; the previous one also signs until a given time (E10.23). If an earlier rotation is still
 * under way, its old secret ends at once, so there are never more than two.
 */
export function rotateSecrets(stored: string, next: { secret: string; until: number }): string {
  const [current] = stored.split('\n');
  return `${next.secret}\n${next.until} ${current}`;
}
