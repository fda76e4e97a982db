import type { z } from 'zod';
import { declareOperation, type Operation } from '../../../kernel/edge/operation.ts';
import { successEnvelope } from './answer-schemas.ts';

/** An operation of the quote interface: a GET that answers `data` in the success envelope. */
export type SwapOperation<
  Parameters extends z.ZodObject = z.ZodObject,
  Data extends z.ZodObject = z.ZodObject,
> = Operation<Parameters> & {
  /** `data` of the success envelope. */
  readonly data: Data;
};

const meanings = {
  400: 'INVALID_PARAMS: details names every bad parameter. UNSUPPORTED_CHAIN: details lists the chains served.',
  429: 'RATE_LIMITED: Retry-After says how many seconds to wait.',
  502: 'UPSTREAM_ERROR: neither an RPC endpoint of the chain nor an upstream server could answer.',
} as const;

/** Declares an operation. One with the quota also has the errors of parameters, limits and chains. */
export function declareSwapOperation<Parameters extends z.ZodObject, Data extends z.ZodObject>(
  given: Pick<
    SwapOperation<Parameters, Data>,
    'path' | 'id' | 'summary' | 'description' | 'parameters' | 'data'
  > & { readonly quota?: 'quotes' },
): SwapOperation<Parameters, Data> {
  const { data, ...operation } = given;
  return {
    ...declareOperation({
      ...operation,
      method: 'GET',
      answer: { schema: successEnvelope(data).meta({ id: envelopeName(given.id) }) },
      scopes: [],
      errors: given.quota === undefined ? {} : meanings,
    }),
    data,
  };
}

function envelopeName(id: string): string {
  return `${id.replace(/^(get|list)/, '')}Envelope`;
}
