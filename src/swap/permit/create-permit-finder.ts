import { createBoundedMap } from '../../kernel/collections/bounded-map.ts';
import {
  type Block,
  type CallOutcome,
  type ChainReader,
  readCalls,
} from '../chain/chain-reader.ts';
import { codeHashesCall, readCodeHashes } from '../chain/code-hashes.ts';
import { swapLimits } from '../limits.ts';
import type { Address } from '../model/address.ts';
import { findPermitDomain } from './find-permit-domain.ts';
import { type PermitDomain, type PermitKind, type PermitPlan, permit2Address } from './permit.ts';

/** Finds how a token can be permitted: by EIP-2612 where it takes that, else by Permit2 where the chain has it. */
export type PermitFinder = (
  token: Address,
  options: {
    /** The only kind that is accepted; any by default. */
    readonly kind?: PermitKind | undefined;
    readonly block: Block;
    readonly signal: AbortSignal;
  },
) => Promise<PermitPlan | undefined>;

// The code hash of an account without code, such as one that was only ever sent something.
const hashOfNoCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const hashOfNoAccount = `0x${'0'.repeat(64)}`;

/** What a token supports never changes, so each token is asked once. */
export function createPermitFinder({
  chainId,
  reader,
}: {
  readonly chainId: number;
  readonly reader: Pick<ChainReader, 'call'>;
}): PermitFinder {
  const domains = createBoundedMap<Address, PermitDomain | 'none'>(swapLimits.layoutsKept.value);
  let hasPermit2 = false;

  return async (token, { kind, block, signal }) => {
    if (kind !== 'permit2') {
      const known = domains.get(token);
      const domain =
        known ?? (await findPermitDomain({ chainId, token, reader, block, signal })) ?? 'none';
      domains.set(token, domain);
      if (domain !== 'none') return { kind: 'eip2612', domain };
    }
    if (kind === 'eip2612') return undefined;
    if (!hasPermit2) {
      const decode = ([outcome]: readonly CallOutcome[]) => readCodeHashes(outcome)?.[0];
      const asked = { block, signal, decode };
      const hash =
        (await readCalls(reader, [codeHashesCall([permit2Address])], asked)) ?? hashOfNoCode;
      hasPermit2 = hash !== hashOfNoCode && hash !== hashOfNoAccount;
    }
    return hasPermit2 ? { kind: 'permit2' } : undefined;
  };
}
