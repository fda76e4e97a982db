import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import type { ClientId } from '../model/client.ts';
import { deviceCodeLifetime, type GrantId } from '../model/grant.ts';
import {
  allowDeviceCode,
  denyDeviceCode,
  findDeviceCode,
  insertDeviceCode,
  notePoll,
  type StoredDeviceCode,
  spendDeviceCode,
} from '../store/code-store.ts';
import { findGrant } from '../store/grant-store.ts';
import type { TokenIssuer } from './token-issuer.ts';
import type { GrantHandler } from './token-request.ts';

/** In seconds. */
const longestInterval = authorizationLimits.devicePollInterval.value / 1_000;

type RedeemDeviceCodeOptions = {
  readonly database: Database;
  readonly tokenIssuer: TokenIssuer;
  readonly clock: Clock;
};

/**
 * The device grant: tokens once a person has allowed what the device asked for, and until then
 * `authorization_pending`, or `slow_down` for one that asks too often (RFC 8628 section 3.5).
 */
export function redeemDeviceCode(options: RedeemDeviceCodeOptions): GrantHandler {
  const { database, tokenIssuer, clock } = options;

  return async (request) => {
    const hash = hashSecret(request.form.require('device_code'));
    const code = await findDeviceCode(database, hash);
    if (code === undefined || code.clientId !== request.client.clientId || code.isSpent) {
      throw unknownCode();
    }
    if (code.expiresAt <= clock.now()) {
      throw new AuthorizationError(
        'expired_token',
        'Nobody allowed this device in time: begin again with a new device code.',
      );
    }
    if (code.isDenied) {
      throw new AuthorizationError(
        'access_denied',
        'The person refused what the device asked for.',
      );
    }
    if (code.grantId === undefined) return refusePoll(code);

    const grant = await findGrant(database, code.grantId);
    if (grant === undefined) throw unknownCode();
    const content = tokenIssuer.narrow(request, grant);
    const redeemed = await database.transaction(async (tx) => {
      if (!(await spendDeviceCode(tx, hash, clock.now()))) return undefined;
      return { refreshToken: await tokenIssuer.begin(tx, request, grant) };
    });
    if (redeemed === undefined) throw unknownCode();
    return tokenIssuer.answer({ request, grant, content, ...redeemed });
  };

  async function refusePoll(code: StoredDeviceCode): Promise<never> {
    const { hash, polledAt, intervalSeconds } = code;
    const now = clock.now();
    const isTooEarly = polledAt !== undefined && now < polledAt + intervalSeconds * 1_000;
    // RFC 8628 section 3.5: each slow_down adds five seconds, for this and all later polls.
    const longer = Math.max(
      intervalSeconds,
      Math.min(intervalSeconds + pollInterval, longestInterval),
    );
    const nextInterval = isTooEarly ? longer : intervalSeconds;
    // At the longest interval, a poll that comes too early writes nothing (N5).
    if (!isTooEarly || nextInterval > intervalSeconds) {
      await notePoll(database, { hash, now, intervalSeconds: nextInterval });
    }
    if (isTooEarly) {
      throw new AuthorizationError(
        'slow_down',
        `The device polls too often: wait ${nextInterval} seconds between two polls.`,
      );
    }
    throw new AuthorizationError(
      'authorization_pending',
      `Nobody has decided yet: poll again in ${intervalSeconds} seconds.`,
    );
  }
}

function unknownCode(): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    'This device code is unknown, used or not for this client: begin again with a new one.',
  );
}

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
const pollInterval = 5;

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
