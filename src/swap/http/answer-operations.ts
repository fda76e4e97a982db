import type { z } from 'zod';
import type { Answer } from '../../kernel/http/messages/answer.ts';
import type { EdgeRequest } from '../../kernel/http/messages/edge-request.ts';
import { packAnswer } from '../../kernel/http/messages/pack-answer.ts';
import { toResponse } from '../../kernel/http/messages/to-response.ts';
import {
  type CallContext,
  chooseOperation,
  type DirectCall,
} from '../../kernel/http/mount/answer-operation.ts';
import type { Mount } from '../../kernel/http/mount/mount.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { SwapError } from '../model/swap-error.ts';
import type { QuoteCaller } from '../swap-use-cases.ts';
import type { Envelopes } from './create-envelopes.ts';
import type { AdmittedRequest, UncountedRequest } from './limit-quotes.ts';
import type { SwapOperation } from './operations/swap-operation.ts';
import type { GivenParameters } from './read-parameters.ts';
import { swapErrorStatus } from './swap-error-status.ts';

/** A request for an operation: its parameters from path and query, and who sent it. */
export type SwapCall = {
  readonly given: GivenParameters;
  readonly request: Pick<EdgeRequest, 'header'>;
  readonly caller: QuoteCaller;
  readonly signal: AbortSignal;
};

export type ServedOperation = readonly [Operation, (call: SwapCall) => Promise<object>];

/** Joins an operation with its answer. Only the type checks the answer against the schema. */
export function serve<Data extends z.ZodObject>(
  operation: SwapOperation<z.ZodObject, Data>,
  answer: (call: SwapCall) => Promise<z.input<Data>>,
): ServedOperation {
  return [operation, answer];
}

/**
 * Answers operations in the success envelope and refusals in the error envelope. Operations with a quota are
 * counted first, and their headers say what is left. They are called often, so they take the direct way. Errors
 * other than `SwapError` are left to the edge.
 */
export function answerOperations(options: {
  readonly served: readonly ServedOperation[];
  readonly envelopes: Envelopes;
  count(call: UncountedRequest): Promise<AdmittedRequest>;
}): Required<Pick<Mount, 'answer' | 'direct'>> {
  const { envelopes, count } = options;
  const served = new Map(options.served);
  const counted = new Set([...served.keys()].filter(({ quota }) => quota !== undefined));

  async function answerCall(call: DirectCall, request?: Request): Promise<Answer> {
    const { matched, query, context, signal } = call;
    const { operation, variables } = matched;
    const answer = served.get(operation);
    if (answer === undefined) throw new Error(`Nothing answers the operation ${operation.id}.`);
    const { caller, headers } = counted.has(operation)
      ? await count({ request, context })
      : withoutQuota(context);
    const given = { ...readQuery(query), ...variables };
    const answered = await answer({ given, request: context.request, caller, signal }).then(
      envelopes.success,
      (error) => {
        if (!(error instanceof SwapError)) throw error;
        return envelopes.error(error, swapErrorStatus[error.code]);
      },
    );
    return { ...answered, headers: { ...answered.headers, ...headers } };
  }

  return {
    direct: { operations: counted, answer: (call) => answerCall(call) },
    async answer({ request, matched, context }) {
      const { method, signal } = request;
      const chosen = chooseOperation(matched, { method, path: context.request.path });
      const { query } = context.request.address;
      const answer = await answerCall({ matched: chosen, query, context, signal }, request);
      // Operations without a quota answer lists, which are long and the same for everybody.
      return counted.has(chosen.operation)
        ? toResponse(answer)
        : packAnswer(request, toResponse(answer));
    },
  };
}

function withoutQuota({ caller }: CallContext): AdmittedRequest {
  return { caller: { key: caller.key, hasToken: false }, headers: {} };
}

function readQuery(query: string): Record<string, string[]> {
  // Without a prototype, so that a parameter may have any name.
  const given: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    given[name] ??= [];
    given[name].push(value);
  }
  return given;
}
