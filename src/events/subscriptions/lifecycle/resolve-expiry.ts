import type { FieldViolation } from '../../errors/events-error.ts';
import { formatDuration } from '../../proto-json/duration.ts';
import { formatTimestamp } from '../../proto-json/timestamp.ts';
import { shortestLifetime } from './lifetime.ts';

type Wish = { readonly ttl?: number | undefined; readonly expireTime?: number | undefined };

export type ResolvedExpiry =
  | { readonly expiresAt: number; readonly violation?: undefined }
  | { readonly violation: FieldViolation; readonly expiresAt?: undefined };

/**
 * When a subscription with this requested `ttl` or `expireTime` ends (E2.11, E2.12, E2.19, E3.23,
 * E6.3, E6.12). Without either, or with a `ttl` of 0, it lives as long as it may.
 */
export function resolveExpiry(
  { ttl, expireTime }: Wish,
  { now, longest }: { readonly now: number; readonly longest: number },
): ResolvedExpiry {
  if (ttl !== undefined && expireTime !== undefined) {
    return refuse('ttl', 'is given together with expireTime: give one of the two');
  }
  const field = expireTime === undefined ? 'ttl' : 'expireTime';
  const expiresAt = expireTime ?? now + (ttl || longest);
  const lifetime = expiresAt - now;
  if (lifetime >= shortestLifetime && lifetime <= longest) return { expiresAt };
  const given = field === 'ttl' ? formatDuration(lifetime) : formatTimestamp(expiresAt);
  const limit =
    lifetime < shortestLifetime
      ? `at least ${formatDuration(shortestLifetime)} from now`
      : `at most ${formatDuration(longest)} from now`;
  return refuse(field, `is ${given} but a subscription lasts ${limit}`);

  function refuse(name: string, description: string): ResolvedExpiry {
    return { violation: { field: name, description } };
  }
}
