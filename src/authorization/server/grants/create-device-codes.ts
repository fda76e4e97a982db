import type { Clock } from '../../../kernel/clock.ts';
import { hashSecret } from '../../../kernel/crypto/secret-hash.ts';
import type { Random } from '../../../kernel/random.ts';
import { deviceCodeLifetime } from '../model/lifetimes.ts';
import { allowDeviceCode, denyDeviceCode, insertDeviceCode } from '../store/device-code-store.ts';
import type { DeviceCodes } from './device-codes.ts';

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
      const deviceCode = Buffer.from(random.bytes(32)).toString('base64url');
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
