import { drawHex } from '../../kernel/random/draw-text.ts';
import type { Random } from '../../kernel/random/random.ts';
import { type EventsCaller, principalOf } from '../caller.ts';
import type { Operation } from '../model/operation.ts';

/** An operation that begins now. Its name cannot be guessed. */
export function newOperation(
  { random, now }: { readonly random: Random; readonly now: number },
  options: Pick<Operation, 'kind' | 'subscriptionId'> & {
    readonly caller: EventsCaller;
    readonly requestId?: string | undefined;
  },
): Operation {
  const { caller, kind, subscriptionId, requestId } = options;
  return {
    name: `operations/${drawHex(random, 16)}`,
    principal: principalOf(caller),
    kind,
    subscriptionId,
    requestId,
    createdAt: now,
    result: undefined,
  };
}
