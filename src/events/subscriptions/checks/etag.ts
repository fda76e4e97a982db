import { createHash } from 'node:crypto';
import type { Subscription } from '../../model/subscription.ts';

/** The checksum of a subscription as it stands, quotes included (E2.14). */
export function etagOf({ uid, revision }: Pick<Subscription, 'uid' | 'revision'>): string {
  const digest = createHash('sha256').update(`${uid} ${revision}`).digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}
