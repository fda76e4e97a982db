import { z } from 'zod';
import { ContextError } from '../context-error.ts';
import type { AskOptions, SwapUseCases } from '../use-cases.ts';

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
export async function findTokens(
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
