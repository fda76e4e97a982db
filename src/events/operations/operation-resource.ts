import { z } from 'zod';
import type { Operation, OperationKind } from '../model/operation.ts';
import { flag, int32, text } from '../proto-json/fields.ts';

const anything = z.record(z.string(), z.unknown());

const statusMessage = z
  .strictObject({
    code: int32.optional().describe('The gRPC status code.'),
    message: text.optional().describe('The explanation, for people.'),
    details: z.array(anything).optional().describe('For programs.'),
  })
  .meta({ id: 'Status', description: 'What went wrong (google.rpc.Status).' });

/** The Operation of the interface. */
export const operationMessage = z
  .strictObject({
    name: text.optional().describe('`operations/…`; absent if nothing was stored.'),
    metadata: anything.optional().describe('The method that it belongs to.'),
    done: flag.optional().describe('Whether it is finished and has `response` or `error`.'),
    error: statusMessage.optional(),
    response: anything.optional().describe('What the method gives when it succeeds.'),
  })
  .meta({ id: 'Operation', description: 'A change that may take a while.' });

export type OperationResource = z.input<typeof operationMessage>;

const ownTypes = 'type.googleapis.com/google.apps.events.subscriptions.v1.';

/** An operation as JSON (E4.1-E4.4). One without a name was only validated and is not stored. */
export function toOperationResource(
  operation: Pick<Operation, 'kind' | 'result'> & { readonly name?: string },
): OperationResource {
  const { name, kind, result } = operation;
  return {
    ...(name === undefined ? {} : { name }),
    metadata: { '@type': `${ownTypes}${kind}SubscriptionMetadata` },
    done: result !== undefined,
    ...(result?.error === undefined
      ? {}
      : { error: { ...result.error, details: result.error.details.map((one) => ({ ...one })) } }),
    ...(result?.response === undefined
      ? {}
      : { response: { '@type': responseType(kind), ...result.response } }),
  };
}

function responseType(kind: OperationKind): string {
  return kind === 'Delete'
    ? 'type.googleapis.com/google.protobuf.Empty'
    : `${ownTypes}Subscription`;
}
