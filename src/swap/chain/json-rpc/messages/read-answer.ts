import type { z } from 'zod';
import type { EndpointFailure } from '../endpoint-failure.ts';
import { classifyRpcError } from './classify-rpc-error.ts';
import type { RpcAnswer } from './rpc-message.ts';

/** The result in the form of the schema, or why the endpoint cannot be trusted or used. */
export function readAnswer<T extends z.ZodType>(
  answer: RpcAnswer | undefined,
  schema: T,
): { readonly value: z.output<T> } | EndpointFailure {
  if (answer !== undefined && 'error' in answer) {
    const { code, message } = answer.error;
    const kind = classifyRpcError(answer.error);
    return {
      reason: kind === 'unknown-block' ? kind : 'error',
      message: `JSON-RPC error ${code}: ${message.slice(0, 200)}`,
    };
  }
  const parsed = schema.safeParse(answer?.result);
  return parsed.success
    ? { value: parsed.data }
    : { reason: 'garbage', message: 'the answer does not have the expected form' };
}
