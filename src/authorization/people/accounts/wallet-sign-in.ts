import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { drawHex, type Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { addWalletChallenge, takeWalletChallenge } from '../../store/wallet-store.ts';

/** The browser and the page that a challenge is made for and must come back from. */
type WalletBinding = { readonly cookie: string; readonly placeId: string };

/** What a wallet is asked to sign for. */
type WalletPurpose = 'sign-in' | 'link';

/** Sign-In with Ethereum (ERC-4361): the wallet that will send transactions signs in. */
export type WalletSignIn = {
  /** A message for the wallet to sign. Throws `invalid_request` for what is no address or chain id. */
  challenge(
    binding: WalletBinding,
    wallet: { address: string; chainId: string; purpose: WalletPurpose },
  ): Promise<{ nonce: string; message: string }>;
  /**
   * The address of the wallet that signed. The store has the message as it
   * was given out, so its domain, address, chain and times are ours and cannot be changed on the way.
   * Throws `access_denied` for another signature, and for a nonce that is spent, late, of another browser or page.
   */
  complete(binding: WalletBinding, signed: { nonce: string; signature: string }): Promise<string>;
};

/** Long enough to unlock a hardware wallet. */
const challengeLifetime = 5 * 60_000;

export function createWalletSignIn(options: {
  database: Database;
  publicUrl: URL;
  clock: Clock;
  random: Random;
}): WalletSignIn {
  const { database, publicUrl, clock, random } = options;

  return {
    async challenge({ cookie, placeId }, wallet) {
      const { getAddress, isAddress } = await import('viem/utils');
      const { createSiweMessage } = await import('viem/siwe');
      const chainId = /^[1-9]\d{0,15}$/.test(wallet.chainId) ? Number(wallet.chainId) : undefined;
      if (!isAddress(wallet.address, { strict: false }) || !Number.isSafeInteger(chainId)) {
        throw new AuthorizationError(
          'invalid_request',
          'The address must be 20 bytes in hexadecimal and chain_id a whole number above 0: send both.',
        );
      }
      const address = getAddress(wallet.address);
      const nonce = drawHex(random, 16);
      const issuedAt = clock.now();
      const message = createSiweMessage({
        domain: publicUrl.host,
        address,
        statement: `${statements[wallet.purpose]} ${publicUrl.host}. This costs nothing and sends no transaction.`,
        uri: publicUrl.origin,
        version: '1',
        chainId: Number(chainId),
        nonce,
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(issuedAt + challengeLifetime),
      });
      await addWalletChallenge(database, {
        nonceHash: hashSecret(nonce),
        cookieHash: hashSecret(cookie),
        placeHash: hashSecret(placeId),
        address,
        message: message.replace(nonce, noncePlace),
        expiresAt: issuedAt + challengeLifetime,
      });
      return { nonce, message };
    },

    async complete({ cookie, placeId }, { nonce, signature }) {
      const challenge = await takeWalletChallenge(database, {
        nonceHash: hashSecret(nonce),
        cookieHash: hashSecret(cookie),
        placeHash: hashSecret(placeId),
        now: clock.now(),
      });
      if (challenge === undefined) {
        throw new AuthorizationError(
          'access_denied',
          'No open sign-in of this page expects this signature: it came too late or a second time. Sign in with the wallet again.',
        );
      }
      const message = challenge.message.replace(noncePlace, nonce);
      if ((await signerOf(message, signature)) !== challenge.address) {
        throw new AuthorizationError(
          'access_denied',
          'The signature was made by another wallet or over another message: sign in with the wallet again.',
        );
      }
      return challenge.address;
    },
  };
}

const statements = {
  'sign-in': 'Sign in to',
  link: 'Link this wallet to your account at',
} as const;

/** The nonce is a secret until it is spent, so the stored message has this in its place (R7). */
const noncePlace = '{nonce}';

/** The wallet that signed a message (EIP-191); `undefined` if the signature is invalid. */
async function signerOf(message: string, signature: string): Promise<string | undefined> {
  const { isHex, recoverMessageAddress } = await import('viem/utils');
  if (!isHex(signature) || signature.length !== 132) return undefined;
  try {
    return await recoverMessageAddress({ message, signature });
  } catch {
    return undefined; // numbers that no signature can have
  }
}
