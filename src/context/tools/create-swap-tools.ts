import { z } from 'zod';
import { withoutTrailing } from '../../kernel/text/text.ts';
import { ContextError } from '../context-error.ts';
import type { AskOptions, SwapUseCases } from '../use-cases.ts';
import { type ContextTool, defineTool } from './tool.ts';

const token = z.object({ symbol: z.string(), decimals: z.int().min(0).max(255) });

const routedQuote = z.object({
  status: z.enum(['Successful', 'Partial']),
  tokenFrom: token,
  tokenTo: token,
  amountIn: z.string(),
  expectedAmountOut: z.string(),
  minAmountOut: z.string(),
  priceImpact: z.number().optional(),
  approval: z.array(z.unknown()).optional(),
  validUntil: z.string().optional(),
});

/** A quote in words. Where fields are missing, as an upstream may leave them out, it says only the status. */
function renderQuote(answer: object): string {
  const { success, data } = routedQuote.safeParse(answer);
  if (!success) {
    const { status, reason } = z
      .object({ status: z.string(), reason: z.string().optional() })
      .parse(answer);
    return status === 'NoRoute' ? `There is no route. ${reason ?? ''}`.trim() : `Status: ${status}`;
  }
  const amount = (units: string, { symbol, decimals }: z.output<typeof token>) =>
    `${toDecimal(units, decimals)} ${symbol}`;
  return [
    ...(data.status === 'Partial'
      ? ['The pools take only a part of the amount; everything below is for that part.']
      : []),
    `${amount(data.amountIn, data.tokenFrom)} gives about ${amount(data.expectedAmountOut, data.tokenTo)}, and at least ${amount(data.minAmountOut, data.tokenTo)} or the transaction reverts.`,
    ...(data.priceImpact === undefined
      ? []
      : [`Price impact: ${(data.priceImpact * 100).toFixed(3)} %.`]),
    data.approval === undefined
      ? 'To execute it the sender signs and sends tx.'
      : 'To execute it the sender signs and sends the approval transactions in order, then tx.',
    ...(data.validUntil === undefined ? [] : [`It can be executed until ${data.validUntil}.`]),
  ].join('\n');
}

/** Units as a decimal number, exactly: 1500000 of 6 decimals is 1.5. */
function toDecimal(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, '0');
  const fraction = withoutTrailing(digits.slice(-decimals), '0');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

const tokenList = z.object({
  tokens: z.array(z.object({ address: z.string(), symbol: z.string() })),
});
const chainList = z.object({
  chains: z.array(
    z.object({ chainId: z.number(), nativeCurrency: z.object({ symbol: z.string() }) }),
  ),
});

/** The address that stands for a chain's native token on the quote interface. */
const nativeToken = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/**
 * Resolves words that are addresses or symbols of known tokens to addresses. The chain's own currency
 * takes precedence over tokens of the same symbol, and letter case makes no difference. Makes no
 * request if all are addresses. Throws `UNKNOWN_TOKEN` and `AMBIGUOUS_TOKEN`, which name what to
 * write instead.
 */
async function findTokens(
  words: readonly string[],
  options: AskOptions & { readonly chainId: string; readonly swap: SwapUseCases },
): Promise<readonly string[]> {
  if (words.every(isAddress)) return words;
  const { chainId, swap, ...asked } = options;
  const [chains, listed] = await Promise.all([
    swap.chains.ask({}, asked),
    swap.tokens.ask({ chainId }, asked),
  ]);
  const { tokens } = tokenList.parse(listed);
  const chain = chainList.parse(chains).chains.find((one) => String(one.chainId) === chainId);
  const native = chain?.nativeCurrency.symbol.toLowerCase();
  return words.map((word) => {
    if (isAddress(word)) return word;
    const symbol = word.toLowerCase();
    if (symbol === native) return nativeToken;
    const matches = tokens.filter((token) => token.symbol.toLowerCase() === symbol);
    const [match, ...others] = matches;
    if (match === undefined) {
      const known = [...new Set([chain?.nativeCurrency.symbol, ...tokens.map((t) => t.symbol)])];
      throw new ContextError(
        'UNKNOWN_TOKEN',
        `No known token of chain ${chainId} has the symbol ${JSON.stringify(word.slice(0, 80))}. The known symbols are ${known.filter(Boolean).join(', ')}. Name any other token by its address.`,
      );
    }
    if (others.length > 0) {
      throw new ContextError(
        'AMBIGUOUS_TOKEN',
        `${word} is the symbol of ${matches.length} tokens of chain ${chainId}: write the address of the one you mean, ${matches.map(({ address }) => address).join(' or ')}.`,
      );
    }
    return match.address;
  });
}

function isAddress(word: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(word);
}

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
