import type { Abi, DecodeEventLogReturnType } from 'viem';
import { decodeEventLog } from 'viem/utils';
import type { Log } from '../chain/chain-reader.ts';

/** The log as an event of the ABI; undefined if it is none of them. */
export function decodeLog<const Events extends Abi>(
  abi: Events,
  { topics, data }: Log,
): DecodeEventLogReturnType<Events> | undefined {
  const [signature, ...indexed] = topics;
  if (signature === undefined) return undefined;
  try {
    return decodeEventLog({ abi, topics: [signature, ...indexed], data });
  } catch {
    // viem throws for a foreign signature and for data of another shape: neither is one of ours.
    return undefined;
  }
}
