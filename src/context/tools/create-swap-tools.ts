import { z } from 'zod';
import type { SwapUseCases } from '../use-cases.ts';
import { findTokens } from './find-tokens.ts';
import { renderQuote } from './render-quote.ts';
import { type ContextTool, defineTool } from './tool.ts';

const scope = 'swap.read';

const chainId = z.int().positive().describe('The chain, such as 1 for Ethereum; see list_chains.');

const quoteRequest = z.object({
  chainId,
  tokenIn: z
    .string()
    .describe(
      'The token to pay: its address, or the symbol of a known one such as ETH or USDC. 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE is the native token.',
    ),
  tokenOut: z.string().describe('The token to receive, written the same way.'),
  amount: z
    .string()
    .regex(/^\d+$/)
    .describe('How much of tokenIn, in its smallest unit, as digits.'),
  sender: z
    .string()
    .describe(
      'The address of the wallet that will sign and that receives the output. It needs no balance for a quote.',
    ),
  maxSlippage: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'The slippage tolerance, as a part of the expected output: 0.005, the default, is 0.5 %.',
    ),
  gasPrice: z
    .string()
    .regex(/^\d+$/)
    .optional()
    .describe('The price of a unit of gas, in wei; by default the current one of the chain.'),
});

/** The tools over the quote interface. They take and give what its paths do, and refuse what those refuse. */
export function createSwapTools(swap: SwapUseCases): ContextTool[] {
  return [
    defineTool({
      name: 'get_swap_quote',
      title: 'Quote a swap',
      description:
        'Quotes what exchanging one token for another gives now, with the transaction to sign. Nothing is sent: hand tx (and approval before it, where present) to the wallet of the sender. Amounts are in the smallest unit of the token: 1 USDC with 6 decimals is "1000000". Ask again shortly before signing, since prices move.',
      scope,
      effect: 'reads',
      input: quoteRequest,
      output: swap.quote.output,
      async run({ chainId: chain, tokenIn, tokenOut, maxSlippage, gasPrice, ...rest }, options) {
        const [from = tokenIn, to = tokenOut] = await findTokens([tokenIn, tokenOut], {
          ...options,
          chainId: String(chain),
          swap,
        });
        const parameters = {
          ...rest,
          chainId: String(chain),
          tokenIn: from,
          tokenOut: to,
          ...(maxSlippage === undefined ? {} : { maxSlippage: String(maxSlippage) }),
          ...(gasPrice === undefined ? {} : { gasPrice }),
        };
        return swap.quote.ask(parameters, options);
      },
      render: renderQuote,
    }),
    defineTool({
      name: 'list_chains',
      title: 'List the chains',
      description:
        'Lists every chain that swaps are quoted on, with its id, native currency, exchanges, routers and RPC endpoints. Call it once to learn which chainId to use.',
      scope,
      effect: 'reads',
      input: z.object({}),
      output: swap.chains.output,
      run: (_input, options) => swap.chains.ask({}, options),
      render: (answer) =>
        chainNames
          .parse(answer)
          .chains.map((chain) => `${chain.chainId}: ${chain.name} (${chain.nativeCurrency.symbol})`)
          .join('\n'),
    }),
    defineTool({
      name: 'list_tokens',
      title: 'List known tokens',
      description:
        'Lists the tokens of a chain that are known by symbol, with address and decimals. Use it to turn symbols into addresses and whole amounts into smallest units. Any other token with a pool can be swapped by its address.',
      scope,
      effect: 'reads',
      input: z.object({ chainId }),
      output: swap.tokens.output,
      run: ({ chainId: chain }, options) => swap.tokens.ask({ chainId: String(chain) }, options),
      render: (answer) =>
        tokenNames
          .parse(answer)
          .tokens.map((token) => `${token.symbol} ${token.address}, ${token.decimals} decimals`)
          .join('\n'),
    }),
  ];
}

const chainNames = z.object({
  chains: z.array(
    z.object({
      chainId: z.number(),
      name: z.string(),
      nativeCurrency: z.object({ symbol: z.string() }),
    }),
  ),
});

const tokenNames = z.object({
  tokens: z.array(z.object({ symbol: z.string(), address: z.string(), decimals: z.number() })),
});
