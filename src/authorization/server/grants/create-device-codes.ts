import { hashSecret } from '../../../kernel/crypto/secret-hash.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { drawText } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { ClientId } from '../model/client.ts';
import type { GrantId } from '../model/grant.ts';
import { deviceCodeLifetime } from '../model/lifetimes.ts';
import { allowDeviceCode, denyDeviceCode, insertDeviceCode } from '../store/device-code-store.ts';

/** A device code (RFC 8628 section 3.2). */
export type DeviceCode = {
  /** Names it to {@link DeviceCodes}; not a secret and of no use at the token endpoint. */
  readonly id: string;
  /** The secret for the device. */
  readonly deviceCode: string;
  readonly expiresAt: number;
  /** How long the device waits between two polls. */
  readonly intervalSeconds: number;
};

/**
 * The codes that devices poll with. The interaction knows the user code and the requested scopes; it keeps the
 * device code's `id`.
 */
export type DeviceCodes = {
  start(tx: Transaction, clientId: ClientId): Promise<DeviceCode>;
  /** The next poll of the device gets tokens of this grant. */
  allow(tx: Transaction, id: string, grantId: GrantId): Promise<void>;
  /** The next poll of the device gets `access_denied`. */
  deny(tx: Transaction, id: string): Promise<void>;
};

/** Seconds between two polls, the default of RFC 8628 section 3.2. */
export const pollInterval = 5;

export function createDeviceCodes({
  clock,
  random,
}: {
  clock: Clock;
  random: Random;
}): DeviceCodes {
  return {
    async start(tx, clientId) {
      const deviceCode = drawText(random, 32);
      const id = hashSecret(deviceCode);
      const expiresAt = clock.now() + deviceCodeLifetime;
      const intervalSeconds = pollInterval;
      await insertDeviceCode(tx, { hash: id, clientId, expiresAt, intervalSeconds });
      return { id, deviceCode, expiresAt, intervalSeconds };
    },
    allow: (tx, id, grantId) => allowDeviceCode(tx, id, grantId),
    deny: (tx, id) => denyDeviceCode(tx, id),
  };
}
