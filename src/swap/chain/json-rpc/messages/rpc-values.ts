import type { Hex } from 'viem';
import { z } from 'zod';

/** A number as JSON-RPC writes it, of at most 256 bits. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text));

export const bytes = z.custom<Hex>(
  (text) => typeof text === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(text),
);

export const hash = z.custom<Hex>(
  (text) => typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text),
);
