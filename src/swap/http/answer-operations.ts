import type { z } from 'zod';
import {
  type AnswerOperation,
  chooseOperation,
  type OperationCall,
} from '../../kernel/http/answer-operation.ts';
import { packAnswer } from '../../kernel/http/pack-answer.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { SwapError } from '../swap-error.ts';
import type { Envelopes } from './create-envelopes.ts';
import type { CountedRequest } from './limit-quotes.ts';
import type { GivenParameters } from './read-parameters.ts';
import { swapErrorStatus } from './swap-error-status.ts';
import type { SwapOperation } from './swap-operation.ts';
import type { QuoteCaller } from './swap-use-cases.ts';

/** A request for an operation: its parameters from path and query, and who sent it. */
export type SwapCall = {
  readonly given: GivenParameters;
  readonly request: Request;
  readonly caller: QuoteCaller;
};

export type ServedOperation = readonly [Operation, (call: SwapCall) => Promise<object>];

/** Joins an operation with its answer, which is held to the schema by type only. */
export function serve<Data extends z.ZodObject>(
  operation: SwapOperation<z.ZodObject, Data>,
  answer: (call: SwapCall) => Promise<z.input<Data>>,
): ServedOperation {
  return [operation, answer];
}

/**
 * Answers operations in the success envelope and refusals in the error envelope. Those with a quota are
 * counted first, and tell in headers what is left. What is no `SwapError` is left to the edge.
 */
export function answerOperations(options: {
  readonly served: readonly ServedOperation[];
  readonly envelopes: Envelopes;
  count(call: OperationCall): Promise<CountedRequest>;
}): AnswerOperation {
  const { envelopes, count } = options;
  const served = new Map(options.served);
  return async (call) => {
    const { request, matched, context } = call;
    const { method } = request;
    const { operation, variables } = chooseOperation(matched, {
      method,
      path: context.request.path,
    });
    const answer = served.get(operation);
    if (answer === undefined) throw new Error(`Nothing answers the operation ${operation.id}.`);
    const { caller, headers } = operation.quota === undefined ? uncounted(call) : await count(call);
    const given = { ...readQuery(request), ...variables };
    const response = await answer({ given, request, caller }).then(envelopes.success, (error) => {
      if (!(error instanceof SwapError)) throw error;
      return envelopes.error(error, swapErrorStatus[error.code]);
    });
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    // What has no quota are lists, long and the same for everybody.
    return operation.quota === undefined ? packAnswer(request, response) : response;
  };
}

function uncounted({ context }: OperationCall): CountedRequest {
  return { caller: { key: context.caller.key, hasToken: false }, headers: {} };
}

function readQuery(request: Request): Record<string, string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]),
  );
}
