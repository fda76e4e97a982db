import { drawHex } from '../../kernel/random/draw-text.ts';
import type { Random } from '../../kernel/random/random.ts';
import { type EventsCaller, principalOf } from '../caller.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import type { SubscriptionTerms } from './checks/check-new-subscription.ts';

/** A subscription as create makes it (E5.1), with an id and a uid of its own (E1.12, E2.2). */
export function newSubscription(options: {
  readonly terms: SubscriptionTerms;
  readonly caller: EventsCaller;
  readonly random: Random;
  readonly now: number;
}): Subscription {
  const { terms, caller, random, now } = options;
  const hex = drawHex(random, 16);
  return {
    ...terms,
    id: hex as SubscriptionId, // where ids are made: hexadecimal digits hold neither `:` nor `/`
    uid: toUuid4(random.bytes(16)),
    principal: principalOf(caller),
    clientId: caller.clientId,
    userId: caller.isPerson ? caller.subject : undefined,
    state: 'ACTIVE',
    suspensionReason: undefined,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** RFC 9562, section 5.4: 122 random bits around version 4 and variant 10. */
function toUuid4(random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
