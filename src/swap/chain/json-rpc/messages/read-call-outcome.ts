import type { CallOutcome } from '../../chain-reader.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { classifyRpcError, revertData } from './classify-rpc-error.ts';
import { readAnswer } from './read-answer.ts';
import type { RpcAnswer } from './rpc-message.ts';
import { bytes } from './rpc-values.ts';

/**
 * The outcome of an `eth_call`. If a node refuses the parameters, the state overrides are the reason, since every
 * node accepts the rest of the call.
 */
export function readCallOutcome(
  answer: RpcAnswer | undefined,
  hasOverrides: boolean,
): CallOutcome | EndpointFailure {
  if (answer !== undefined && 'error' in answer) {
    const { message, data } = answer.error;
    const kind = classifyRpcError(answer.error);
    if (kind === 'invalid-params' && hasOverrides) return { status: 'unsupported' };
    if (kind === 'execution' || kind === 'too-large') {
      return { status: 'failed', data: revertData(data), reason: message.slice(0, 200) };
    }
  }
  const data = readAnswer(answer, bytes);
  return isFailure(data) ? data : { status: 'returned', data: data.value };
}
