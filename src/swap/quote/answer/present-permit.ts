import type { Hex } from 'viem';
import { type Address, SwapError } from '../../model.ts';
import { type Permit, type PermitTerms, writePermit2, writeTokenPermit } from '../../permit.ts';
import type { SwapAttempt } from '../swap-attempt.ts';

/**
 * What the sender of a tried route must sign, if a signature replaces the approval; `program` is the data of its
 * transaction.
 */
export function presentPermit(
  { permit, order, choice }: SwapAttempt,
  { chainId, token, program }: { chainId: number; token: Address; program: Hex },
): Permit | undefined {
  if (permit === undefined) return undefined;
  const terms: PermitTerms = {
    chainId,
    token,
    owner: order.sender,
    spender: choice.router.address,
    amount: choice.route.amountIn,
    deadline: order.deadline,
  };
  const { plan, nonce } = permit;
  if (plan.kind === 'permit2') return writePermit2(terms, program);
  if (nonce === undefined) {
    throw new SwapError(
      'UPSTREAM_ERROR',
      `${token} did not return the nonce for a permit; try again.`,
    );
  }
  return writeTokenPermit(terms, { domain: plan.domain, nonce });
}

/**
 * The gas of a permit that the trial does not measure. In the trial the token refuses the placeholder signature, and a
 * state override sets the allowance. On the chain the token writes an allowance, which the swap uses up, and the next
 * nonce, of which the first costs more. In the trial Permit2 asks the sender's account, which has code there, instead of
 * recovering the signer.
 */
export function gasOfPermit({ permit }: SwapAttempt): bigint {
  if (permit === undefined) return 0n;
  if (permit.plan.kind === 'permit2') return 3_500n;
  return permit.nonce === 0n ? 42_000n : 25_000n;
}
