import type { Transaction } from '../../../kernel/database/database.ts';
import type { ClientId } from '../model/client.ts';
import type { GrantId } from '../model/grant.ts';

/** A code by which a device will fetch its tokens (RFC 8628 section 3.2). */
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
 * The codes that devices poll with. Which person types which user code, and what they are asked, is
 * the interaction's; it keeps the code's `id`.
 */
export type DeviceCodes = {
  start(tx: Transaction, clientId: ClientId): Promise<DeviceCode>;
  /** The next poll of the device gets tokens of this grant. */
  allow(tx: Transaction, id: string, grantId: GrantId): Promise<void>;
  /** The next poll of the device is told `access_denied`. */
  deny(tx: Transaction, id: string): Promise<void>;
};
