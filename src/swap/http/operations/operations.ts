import { z } from 'zod';
import type { Service } from '../../../kernel/edge/operation.ts';
import {
  chain,
  chainsData,
  endpointsData,
  errorEnvelope,
  examplesData,
  historyData,
  priceResponseData,
  routeLeg,
  swapResponseData,
  token,
  tokensData,
  transaction,
} from './answer-schemas.ts';
import {
  address,
  chainId,
  feeShare,
  names,
  permitChoice,
  positiveUnits,
  recipientAddress,
  routerKind,
  senderAddress,
  slippage,
  units,
} from './parameter-schemas.ts';
import { declareSwapOperation } from './swap-operation.ts';

const example = (value: unknown) => ({ wire: { examples: [value] } });

const tradeParameters = {
  chainId: chainId.describe('The chain.'),
  tokenIn: address
    .describe(
      'The token to sell; 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE is the native token of the chain.',
    )
    .meta(example('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE')),
  tokenOut: address
    .describe('The token to buy; the same address is the native token.')
    .meta(example('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')),
  amount: positiveUnits
    .optional()
    .describe(
      'How much of tokenIn, in its smallest unit; above 0. Required unless amountOut is given.',
    )
    .meta(example('1000000000000000000')),
  amountOut: positiveUnits
    .optional()
    .describe(
      'Added, instead of amount: the least amount of tokenOut that must arrive, in its smallest unit. tx then spends at most maxAmountIn; slippage that is not used up arrives as additional output.',
    ),
};

/** Refuses parameters of which only one can be meant. */
function withoutContradictions<Parameters extends z.ZodObject>(parameters: Parameters): Parameters {
  return parameters
    .refine(({ amount, amountOut }) => amount !== undefined || amountOut !== undefined, {
      path: ['amount'],
      error: 'is required',
      when: ({ value }) => isGiven(value, ['amount', 'amountOut']) === 0,
    })
    .refine(() => false, {
      path: ['amountOut'],
      error: 'cannot be given together with amount: leave one of them out',
      when: ({ value }) => isGiven(value, ['amount', 'amountOut']) === 2,
    })
    .refine(() => false, {
      path: ['excludeDexes'],
      error: 'cannot be given together with dexes: leave one of them out',
      when: ({ value }) => isGiven(value, ['dexes', 'excludeDexes']) === 2,
    });
}

function isGiven(value: unknown, keys: readonly string[]): number {
  const given = value as Readonly<Record<string, unknown>>; // what the object schema was handed
  return keys.filter((key) => given[key] !== undefined).length;
}

/** Parameters that this server adds: what a route may use, and who else gets a share. */
const routeParameters = {
  fee: feeShare
    .optional()
    .describe(
      'Added: the share of the output that goes to feeRecipient, such as 0.001; only where the chain has the router tradewind.',
    ),
  gasPrice: units
    .optional()
    .describe(
      'Added: the gas price that routing assumes, in wei; 0 if others pay the gas. Default: the gas price of the chain.',
    ),
  dexes: names
    .optional()
    .describe('Added: the only exchanges to use, by their ids in /v1/chains, separated by commas.'),
  excludeDexes: names
    .optional()
    .describe('Added: exchanges not to use, by their ids in /v1/chains, separated by commas.'),
  router: routerKind
    .optional()
    .describe('Added: the kind of router to use, as in /v1/chains; auto takes the best of all.'),
};

const maxSlippage = slippage.describe(
  'The part of the expected output that the sender is ready to lose: 0.005 is 0.5 %. Empty and null mean the default.',
);

const sender = senderAddress
  .describe('The wallet that signs and sends the transaction, and receives the output.')
  .meta(example('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'));

/**
 * A price takes these too, so that one query works for both. Only `permit` changes a price: it leaves only the router
 * that takes permits.
 */
const transactionParameters = {
  recipient: recipientAddress
    .optional()
    .describe('Added: the account that receives the output instead of the sender.'),
  feeRecipient: recipientAddress
    .optional()
    .describe('Added: the account that receives the fee; together with fee.'),
  permit: permitChoice
    .optional()
    .describe(
      'Added: the permit that the sender signs instead of sending an approval: eip2612 if the token supports it, permit2 for other tokens, or auto for the first of the two that is available; only where the chain has the router tradewind.',
    ),
};

function feeWithRecipient<Parameters extends z.ZodObject>(parameters: Parameters): Parameters {
  return parameters.refine(
    ({ fee, feeRecipient }) => (fee === undefined) === (feeRecipient === undefined),
    {
      path: ['feeRecipient'],
      error: 'and fee belong together: give both or neither',
      when: () => true,
    },
  );
}

function differentTokens<Parameters extends z.ZodObject>(parameters: Parameters): Parameters {
  return parameters.refine(({ tokenIn, tokenOut }) => tokenIn !== tokenOut, {
    path: ['tokenOut'],
    error: 'is the same token as tokenIn; name another one',
    // Reported together with other mistakes, not only once all else is right.
    when: () => true,
  });
}

/** With a slippage of 1, no input would be enough. */
function belowOne<Parameters extends z.ZodObject>(parameters: Parameters): Parameters {
  return parameters.refine(
    ({ amountOut, maxSlippage }) =>
      amountOut === undefined ||
      maxSlippage === undefined ||
      (maxSlippage as { numerator: bigint; denominator: bigint }).numerator <
        (maxSlippage as { numerator: bigint; denominator: bigint }).denominator,
    { path: ['maxSlippage'], error: 'must be below 1 with amountOut' },
  );
}

export const quoteOperation = declareSwapOperation({
  path: '/v1/swap/{chainId}',
  id: 'getSwapQuote',
  summary: 'Quote a swap',
  description:
    'A quote for exchanging one token for another, with the transaction to sign. Balance and allowance of the sender are not required.',
  parameters: belowOne(
    feeWithRecipient(
      differentTokens(
        withoutContradictions(
          z.object({
            ...tradeParameters,
            maxSlippage,
            sender,
            ...transactionParameters,
            ...routeParameters,
          }),
        ),
      ),
    ),
  ),
  data: swapResponseData,
  quota: 'quotes',
});

export const priceOperation = declareSwapOperation({
  path: '/v1/price/{chainId}',
  id: 'getSwapPrice',
  summary: 'Price a swap',
  description:
    'What exchanging one token for another gives, without a sender, a trial or a transaction. A token that taxes transfers gives less.',
  parameters: belowOne(
    differentTokens(
      withoutContradictions(
        z.object({ ...tradeParameters, maxSlippage, ...transactionParameters, ...routeParameters }),
      ),
    ),
  ),
  data: priceResponseData,
  quota: 'quotes',
});

export const historyOperation = declareSwapOperation({
  path: '/v1/price/{chainId}/history',
  id: 'getPriceHistory',
  summary: 'Prices over time',
  description:
    'The prices of a pair that this process has seen, by quotes, prices and watches since it started. It asks the chain nothing.',
  parameters: differentTokens(
    z.object({
      chainId: tradeParameters.chainId,
      tokenIn: tradeParameters.tokenIn,
      tokenOut: tradeParameters.tokenOut,
    }),
  ),
  data: historyData,
  quota: 'quotes',
});

export const endpointsOperation = declareSwapOperation({
  path: '/v1/chains/{chainId}/endpoints',
  id: 'listRpcEndpoints',
  summary: 'List RPC endpoints',
  description:
    'The RPC endpoints of a chain as they were last measured, in the order in which they are used. A chain is measured from the first request about it on; the development chain is never measured.',
  parameters: z.object({ chainId: chainId.describe('The chain.') }),
  data: endpointsData,
  quota: 'quotes',
});

export const examplesOperation = declareSwapOperation({
  path: '/v1/swap/examples',
  id: 'getSwapExamples',
  summary: 'Code samples',
  description: 'Programs that ask this server for a quote, in four languages.',
  parameters: z.object({}),
  data: examplesData,
});

export const chainsOperation = declareSwapOperation({
  path: '/v1/chains',
  id: 'listChains',
  summary: 'List the chains',
  description: 'Every chain that is served, with its exchanges, routers and RPC endpoints.',
  parameters: z.object({}),
  data: chainsData,
});

export const tokensOperation = declareSwapOperation({
  path: '/v1/tokens/{chainId}',
  id: 'listTokens',
  summary: 'List known tokens',
  description:
    'The tokens of a chain that are known by name. Any other token with a pool can be swapped too.',
  parameters: z.object({ chainId: chainId.describe('The chain.') }),
  data: tokensData,
  quota: 'quotes',
});

/** The interface as it is described: all of its operations share the error envelope. */
export const swapService: Service = {
  name: 'Swap quotes',
  description:
    'Quotes for exchanging one on-chain token for another, with the transaction to sign. No key is needed.',
  error: errorEnvelope,
  schemas: {
    Token: token,
    Transaction: transaction,
    RouteLeg: routeLeg,
    SwapResponseData: swapResponseData,
    Chain: chain,
    ErrorEnvelope: errorEnvelope,
  },
  operations: [
    quoteOperation,
    priceOperation,
    historyOperation,
    examplesOperation,
    chainsOperation,
    endpointsOperation,
    tokensOperation,
  ],
};
