import type { Brand } from '../kernel/brand.ts';

/** A checksummed account or contract address. */
export type Address = Brand<`0x${string}`, 'Address'>;
