import { z } from 'zod';
import { permitKinds } from '../../permit.ts';

// The form of the answers on the wire. Names and rules of the published fields are those of the
// quote interface; fields that this server adds say so.

/** How many RPC endpoints an answer recommends at most. */
export const mostRpcUrls = 5;

const addressText = z.string().regex(/^0x[a-fA-F0-9]{40}$/);
const unitsText = z.string().regex(/^\d+$/);
const calldata = z.string().regex(/^0x([a-fA-F0-9]{2})*$/);

/** What the `uint8` of a token can say. Clients fill up to so many digits, so a larger number of a server is no answer (F81). */
const decimals = z.int().min(0).max(255);

export const token = z
  .object({
    address: addressText.describe('Contract address; the native token has its own.'),
    symbol: z.string().describe('Ticker symbol.'),
    name: z.string().describe('Full token name.'),
    decimals: decimals.describe('Decimal places.'),
  })
  .describe('A token.');

export const transaction = z
  .object({
    from: addressText.describe('The sender.'),
    to: addressText.describe('The contract to call.'),
    data: calldata.describe('ABI-encoded calldata.'),
    value: unitsText.optional().describe('Native tokens to send along, in wei.'),
    gasPrice: z.number().optional().describe('Suggested gas price, in wei.'),
    gas: unitsText.optional().describe('Gas limit.'),
    l1Fee: unitsText
      .optional()
      .describe('Added: the additional cost of publishing to the parent chain, in wei.'),
  })
  .describe('A transaction, ready to sign.');

const typedDataField = z.object({ name: z.string(), type: z.string() });

export const permit = z
  .object({
    kind: z.enum(permitKinds).describe('EIP-2612 of the token itself, or Permit2.'),
    typedData: z
      .object({
        domain: z.object({
          name: z.string(),
          version: z.string().optional(),
          chainId: z.int().optional(),
          verifyingContract: addressText,
          salt: z.string().optional(),
        }),
        types: z.record(z.string(), z.array(typedDataField).readonly()),
        primaryType: z.string(),
        message: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
      })
      .describe('As eth_signTypedData_v4 takes it.'),
  })
  .describe(
    'What the sender signs instead of sending an approval; append the 65-byte signature to tx.data.',
  );

export const routeLeg = z
  .object({
    path: z
      .int()
      .min(0)
      .describe('The number of the path. The legs of one path are listed in order.'),
    pool: addressText.describe('The contract that holds the pool.'),
    poolId: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .optional()
      .describe('The id of the pool, if its contract holds many pools, as in Uniswap V4.'),
    exchange: z.string(),
    tokenIn: addressText,
    tokenOut: addressText,
    share: z.number().describe('The part of the whole input that enters the path, from 0 to 1.'),
    amountIn: unitsText,
    amountOut: unitsText,
  })
  .describe('One pool of one path.');

export const swapResponseData = z
  .looseObject({
    status: z
      .enum(['Successful', 'Partial', 'NoRoute'])
      .describe(
        'Successful: the whole amount has a route. Partial: the pools take only a part of it, and all other fields describe that part. NoRoute: no route found.',
      ),
    tokenFrom: token.optional(),
    tokenTo: token.optional(),
    swapPrice: z
      .number()
      .optional()
      .describe('Whole units of the output token for one whole unit of the input token.'),
    priceImpact: z
      .number()
      .optional()
      .describe(
        '1 − execution price ÷ mid price of the best route for a vanishing amount. It is above 0 when the sender gets less: 0.0012 is 0.12 %.',
      ),
    amountIn: unitsText.optional().describe('Input in the smallest unit.'),
    expectedAmountOut: unitsText
      .optional()
      .describe('Output in the smallest unit if nothing changes before execution.'),
    maxAmountIn: unitsText
      .optional()
      .describe('Added: the most that tx spends; present when amountOut was given.'),
    feeAmount: unitsText
      .optional()
      .describe(
        'Added: the part of the output that feeRecipient gets; expectedAmountOut excludes it.',
      ),
    minAmountOut: unitsText
      .optional()
      .describe(
        'expectedAmountOut × (1 − maxSlippage), rounded down; the transaction reverts if it would give less.',
      ),
    tokens: z
      .array(token)
      .optional()
      .describe('All tokens of the route, including intermediate ones.'),
    tx: transaction.optional().describe('Present when status is Successful or Partial.'),
    rpcUrl: z.url().optional().describe('The first of rpcUrls.'),
    rpcUrls: z
      .array(z.url())
      .max(mostRpcUrls)
      .optional()
      .describe('Recommended public RPC endpoints of the chain, best first.'),
    approval: z
      .array(transaction)
      .optional()
      .describe(
        'Added: what to send before tx, in order; absent when the allowance of the sender is enough.',
      ),
    permit: permit
      .optional()
      .describe('Added: what to sign; present when permit was given. tx.data lacks the signature.'),
    issues: z
      .object({
        simulationIncomplete: z
          .literal(true)
          .describe('No RPC endpoint could try tx: nothing shows yet that it succeeds.'),
      })
      .optional()
      .describe(
        'Added: what a caller should know before sending tx; absent where nothing is known.',
      ),
    route: z.array(routeLeg).optional().describe('Added: the pools that the input passes through.'),
    blockNumber: unitsText
      .optional()
      .describe('Added: the block that all figures are computed at.'),
    validUntil: z.iso.datetime().optional().describe('Added: when the deadline in tx passes.'),
    optimality: z
      .object({
        upperBound: unitsText.describe(
          'No routing over the pools that were read at this block gives more, before gas, however many hops it takes.',
        ),
        gapBps: z
          .number()
          .describe('The most by which the quote can be below upperBound, in basis points.'),
        pools: z
          .number()
          .describe(
            'How many pools were read, of the exchanges that the request allows: all of them count in upperBound. Pools with other tokens were not read.',
          ),
        poolsCutOff: z
          .number()
          .describe(
            'How many of them were not read to the end of what such a trade may reach. What lies beyond does not count in upperBound.',
          ),
        unreadBps: z
          .number()
          .optional()
          .describe(
            'How much pools that were not read could add at most, in basis points of the best output, if none of them has a better price than all that were read. Above 100, further tokens of the chain were looked at, where it has them.',
          ),
        isCutShort: z
          .boolean()
          .describe('Whether the search used up its steps: there may be a better route.'),
        gasCost: unitsText.describe('The cost of gas that routing assumed, in units of tokenTo.'),
      })
      .optional()
      .describe('Added: a certificate of how good the route is.'),
    reason: z.string().optional().describe('Added: why there is no route.'),
  })
  .meta({
    description: 'A quote. Only status is always present.',
    // Otherwise this would be an empty schema, which some tool clients refuse.
    additionalProperties: true,
  });

export const priceResponseData = swapResponseData
  .omit({
    minAmountOut: true,
    tx: true,
    approval: true,
    permit: true,
    issues: true,
    validUntil: true,
  })
  .meta({ description: 'A price. Only status is always present.', additionalProperties: true });

export const chain = z
  .object({
    chainId: z.int().positive(),
    name: z.string(),
    nativeCurrency: z.object({ name: z.string(), symbol: z.string(), decimals }),
    rpcUrls: z.array(z.url()).max(mostRpcUrls).describe('Recommended RPC endpoints, best first.'),
    routers: z
      .array(z.object({ kind: z.string(), address: addressText, dexes: z.array(z.string()) }))
      .describe('Contracts that execute routes, each with the exchanges it reaches.'),
    dexes: z
      .array(
        z.object({
          id: z.string().describe('The id for dexes and excludeDexes.'),
          name: z.string(),
          kind: z.string(),
          factory: addressText,
          provenBy: z
            .enum(['contracts', 'recorded-swaps'])
            .describe(
              'What our arithmetic is tested against, to the unit: the contracts themselves, or swaps that were recorded on them.',
            ),
        }),
      )
      .describe('Exchanges whose pools are routed over.'),
  })
  .describe('A chain that is served, and what it has.');

export const chainsData = z.object({ chains: z.array(chain) });
export const tokensData = z.object({ tokens: z.array(token) });

export const historyData = z.object({
  points: z
    .array(
      z.object({
        at: z.iso.datetime().describe('When this server saw it.'),
        price: z
          .number()
          .describe('Whole units of tokenOut for one of tokenIn, before the impact of any amount.'),
        blockNumber: unitsText,
      }),
    )
    .describe('The oldest first, one a block.'),
});

export const endpointsData = z.object({
  endpoints: z.array(
    z.object({
      name: z
        .string()
        .describe(
          'The URL. For an endpoint that the operator set only a number, because its URL may contain a key.',
        ),
      origin: z
        .enum(['settings', 'registry', 'chain-list'])
        .describe('Where the server knows the endpoint from.'),
      verdict: z
        .enum(['untried', 'answering', 'failing', 'wrong-chain'])
        .describe('What the latest measurement showed.'),
      errorRate: z
        .number()
        .describe('The share of measurements that failed, the latest weighing most.'),
      latencyMs: z.number().optional().describe('The time to answer, averaged in the same way.'),
      headAgeMs: z
        .number()
        .optional()
        .describe('How old its newest block was when it was last seen, by this machine’s clock.'),
    }),
  ),
});

export const examplesData = z.object({
  examples: z
    .object({
      curl: z.string(),
      typescript: z.string(),
      python: z.string(),
      rust: z.string(),
    })
    .describe('Programs that ask this server for a quote, each ready to run.'),
});

const timestamp = z.iso.datetime();

/** The success envelope around a kind of data. */
export function successEnvelope<Data extends z.ZodObject>(data: Data) {
  return z.object({ success: z.literal(true), data, timestamp });
}

export const errorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().describe('Stable, for programs.'),
      message: z.string().describe('The explanation, for people.'),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
    timestamp,
  })
  .describe('The form of every error.');
