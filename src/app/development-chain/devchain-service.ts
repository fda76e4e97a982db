import { z } from 'zod';
import { devchainLimits } from '../../devchain/index.ts';
import type { Service } from '../../kernel/operations/service.ts';

const request = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().meta({
      examples: ['eth_chainId', 'eth_blockNumber', 'eth_call', 'eth_getBalance', 'eth_estimateGas'],
    }),
    params: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'RpcRequest', description: 'A request of JSON-RPC 2.0, or a list of them.' });

const one = z.looseObject({ jsonrpc: z.literal('2.0') });
const answer = z
  .union([one, z.array(one)])
  .meta({ id: 'RpcAnswer', description: 'A JSON-RPC response, also for an error.' });

/** The development chain for wallets; only a server that this machine alone reaches has it. */
export const devchainService: Service = {
  name: 'Development chain',
  description: 'JSON-RPC of the development chain, which holds nothing of value.',
  error: answer,
  operations: [
    {
      id: 'callDevelopmentChain',
      method: 'POST',
      path: '/rpc/31337',
      summary: 'JSON-RPC of the development chain',
      description: 'Answers the methods that wallets and libraries use.',
      parameters: z.object({}),
      body: { types: ['application/json'], schema: request },
      bodyBytes: devchainLimits.body.value,
      answer: { schema: answer },
      scopes: [],
      errors: {
        400: 'The body is not JSON.',
        403: 'The page may not call this method.',
        405: 'JSON-RPC requests must use POST.',
        413: 'The body is too large.',
        415: 'The body is not JSON.',
        429: 'Too many calls of this caller wait.',
        503: 'Too many calls of all callers wait.',
      },
    },
  ],
};
