import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { EventsError } from '../../model/events-error.ts';
import { makeSigningSecret } from '../../model/signing-secret.ts';
import { type SubscriptionId, subscriptionName } from '../../model/subscription.ts';
import { readLaneSecrets, writeLaneSecrets } from '../../store/lanes/lane-life-store.ts';
import type { WebhookSecret } from './endpoint.ts';

export type RotationOptions = {
  readonly database: Database;
  /** Seals signing secrets. */
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
};

export type Rotation = {
  readonly subscriptionId: SubscriptionId;
  /** The new secret, well formed; if it is left out, one is generated. */
  readonly signingSecret: string | undefined;
  /** How long deliveries are also signed with the old one, in milliseconds. */
  readonly overlap: number;
};

/**
 * Puts a new signing secret in force. Returns it with the time when the old one ends (E14.41). Does
 * not check the form of a given secret. Throws `FAILED_PRECONDITION` if the endpoint is not a
 * webhook.
 */
export async function rotateSigningSecret(
  { database, sealer, clock, random }: RotationOptions,
  { subscriptionId, signingSecret, overlap }: Rotation,
): Promise<{ secret: string; until: number }> {
  const next = {
    secret: signingSecret ?? makeSigningSecret(random),
    until: clock.now() + overlap,
  };
  await database.transaction(async (tx) => {
    const sealed = await readLaneSecrets(tx, subscriptionId);
    if (sealed === undefined) throw unsigned(subscriptionId);
    const rotated = rotateSecrets(sealer.open(sealed, subscriptionId), next);
    const secrets = sealer.seal(rotated, subscriptionId);
    await writeLaneSecrets(tx, { id: subscriptionId, secrets });
  });
  return next;
}

function unsigned(subscriptionId: string): EventsError {
  const name = subscriptionName(subscriptionId);
  const description = `${name} has no signing secret to rotate: only deliveries to a webhook are signed.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'NOT_A_WEBHOOK',
    metadata: { name },
    preconditionViolations: [{ type: 'ENDPOINT', subject: name, description }],
  });
}

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
