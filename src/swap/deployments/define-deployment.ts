import type { Address } from '../model/address.ts';
import type { ChainDeployment } from './deployment.ts';

/**
 * Takes a chain's facts as they are written in `chains/` and gives them their types. It checks
 * nothing when the program runs: a test checks the form and the checksum of every address in the
 * registry, so that a start pays nothing for data that cannot change.
 */
export function defineDeployment(facts: AsWritten<ChainDeployment>): ChainDeployment {
  // Holds because AsWritten differs from the type only in the brand of addresses.
  return facts as ChainDeployment;
}

/** The same shape with addresses as plain text. */
export type AsWritten<T> = T extends Address
  ? `0x${string}`
  : T extends object
    ? { [Key in keyof T]: AsWritten<T[Key]> }
    : T;
