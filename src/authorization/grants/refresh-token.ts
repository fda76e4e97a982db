import { createHmac } from 'node:crypto';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';

/**
 * A refresh token: the id of its family, the same in every token of a grant, and a secret that changes
 * at each use. Both are random and stored only as hashes. Whoever knows the id has held a token of the
 * family, so a wrong secret with a right id is reuse and no guess.
 */
export type RefreshToken = { readonly familyId: string; readonly secret: string };

/** 16 and 32 bytes in base64url: beyond guessing, and fixed in length so that a cut token is noticed. */
const form = /^([\w-]{22})\.([\w-]{43})$/;

export function makeRefreshToken(random: Random): RefreshToken {
  return { familyId: drawText(random, 16), secret: drawText(random, 32) };
}

/** The random salt of a rotation, which is stored with it. */
export function makeSalt(random: Random): string {
  return drawText(random, 16);
}

/**
 * The token that follows: computed from the predecessor's secret, which the store does not have, and
 * the salt, which it has. So whoever presents the predecessor again within the grace of R2 gets the
 * very same successor.
 */
export function successorOf({ familyId, secret }: RefreshToken, salt: string): RefreshToken {
  return { familyId, secret: createHmac('sha256', secret).update(salt).digest('base64url') };
}

export function writeRefreshToken({ familyId, secret }: RefreshToken): string {
  return `${familyId}.${secret}`;
}

export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, familyId, secret] = form.exec(text) ?? [];
  return familyId === undefined || secret === undefined ? undefined : { familyId, secret };
}

/** What is stored of a token. */
export function hashesOf({ familyId, secret }: RefreshToken) {
  return { refreshId: hashSecret(familyId), refreshHash: hashSecret(secret) };
}
