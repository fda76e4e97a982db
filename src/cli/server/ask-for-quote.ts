import {
  chainsOperation,
  nativeToken,
  priceOperation,
  type QuoteAnswer,
  quoteOperation,
  tokensOperation,
} from '../../swap/wire.ts';
import { findClosest } from '../input/parse-command-line.ts';
import { parseTokenAmount } from '../input/swap-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import type { ServerClient } from './server-client.ts';
import { ServerError } from './server-error.ts';

/** A swap in the words of the command line. */
export type SwapWish = {
  /** In whole tokens. */
  readonly amount: string;
  /** A symbol or an address, like `to`. */
  readonly from: string;
  readonly to: string;
  readonly chainId: string;
  /** Without a sender the request is for a price, which has no transaction. */
  readonly sender: string | undefined;
  readonly maxSlippage?: string | undefined;
  /** Ids of exchanges, separated by commas. */
  readonly dexes?: string | undefined;
  readonly excludeDexes?: string | undefined;
  readonly recipient?: string | undefined;
  /** The kind of permit to sign instead of sending an approval. */
  readonly permit?: string | undefined;
};

/**
 * Requests the quote. It looks up symbols in the server's list of known tokens; for two addresses it
 * needs no list. Throws `UsageError` for an unknown symbol or invalid amount, and `ServerError`.
 */
export async function askForQuote(server: ServerClient, wish: SwapWish) {
  const { chainId, sender, maxSlippage, dexes, excludeDexes, recipient, permit } = wish;
  const isListNeeded = !isAddress(wish.from) || !isAddress(wish.to);
  const { native, tokens } = await listKnownTokens(server, chainId, { isListNeeded });
  const addressOf = (word: string) => (isAddress(word) ? word : findToken(word, tokens).address);
  const ask = (amount: bigint): Promise<QuoteAnswer> => {
    const priced = {
      chainId,
      tokenIn: addressOf(wish.from),
      tokenOut: addressOf(wish.to),
      amount: amount.toString(),
      ...(dexes && { dexes }),
      ...(excludeDexes && { excludeDexes }),
    };
    // The fields of a price are those of a quote, without what belongs to the transaction.
    if (sender === undefined) return server.get(priceOperation, priced) as Promise<QuoteAnswer>;
    return server.get(quoteOperation, {
      ...priced,
      sender,
      ...(recipient && { recipient }),
      ...(permit && { permit }),
      ...(maxSlippage === undefined ? {} : { maxSlippage }),
    });
  };
  const known = tokens.find(({ address }) => address === addressOf(wish.from));
  // A quote of the smallest amount gives the name and the decimals of an unlisted token.
  const tokenIn = known ?? (await ask(1n)).tokenFrom;
  if (tokenIn === undefined) {
    throw new ServerError(
      'UNKNOWN_DECIMALS',
      `The server does not know how many decimals ${wish.from} has: use a server that knows the token.`,
    );
  }
  return { quote: await ask(parseTokenAmount(wish.amount, tokenIn)), native };
}

type Token = NonNullable<QuoteAnswer['tokenFrom']>;

const mostShown = 20;

/** Whether a word of the command line is an address, which needs no lookup. */
export function isAddress(word: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(word);
}

/**
 * The token with this symbol. Letter case counts only if it tells two tokens apart, and the native
 * currency takes precedence over tokens of the same symbol. Throws {@link UsageError} for a symbol that
 * none has or that several share, saying what to write instead.
 */
export function findToken(symbol: string, tokens: readonly Token[]): Token {
  const loose = tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase());
  const exact = loose.filter((token) => token.symbol === symbol);
  const matches = exact.length > 0 ? exact : loose;
  const match = matches.find(({ address }) => address === nativeToken) ?? matches[0];
  if (match === undefined) throw unknownSymbol(symbol, tokens);
  if (matches.length === 1 || match.address === nativeToken) return match;
  const choices = matches.map(({ address, name }) => `  ${address}  ${plainText(name)}`).join('\n');
  throw new UsageError(
    `${symbol} is the symbol of ${matches.length} tokens: write the address of the one you mean.\n${choices}`,
  );
}

function unknownSymbol(symbol: string, tokens: readonly Token[]): UsageError {
  if (/^0x/i.test(symbol)) {
    return new UsageError(
      `${JSON.stringify(symbol)} is not an address: write 0x and 40 hexadecimal digits, or a symbol.`,
    );
  }
  const symbols = [...new Set(tokens.map((token) => plainText(token.symbol)))];
  const close = findClosest(symbol.toUpperCase(), symbols);
  const shown = symbols.slice(0, mostShown).join(', ');
  const more = symbols.length > mostShown ? ` and ${symbols.length - mostShown} more` : '';
  return new UsageError(
    [
      `No known token of the chain has the symbol ${JSON.stringify(symbol)}${close === undefined ? '.' : `; did you mean ${close}?`}`,
      `Known symbols: ${shown || 'none'}${more}. Any other token can be given by its address.`,
    ].join('\n'),
  );
}

/** The tokens that a server knows by symbol on a chain, and the chain's own currency as one of them. */
type KnownTokens = {
  /** Absent for a chain that is not in the server's list, such as one behind an upstream. */
  readonly native: Token | undefined;
  readonly tokens: readonly Token[];
};

/** Requests the known tokens, or the native currency alone if no symbol must be looked up. Throws `ServerError`. */
async function listKnownTokens(
  server: ServerClient,
  chainId: string,
  { isListNeeded = true }: { readonly isListNeeded?: boolean } = {},
): Promise<KnownTokens> {
  const [{ chains }, listed] = await Promise.all([
    server.get(chainsOperation),
    isListNeeded ? server.get(tokensOperation, { chainId }) : { tokens: [] },
  ]);
  const chain = chains.find((candidate) => String(candidate.chainId) === chainId);
  // On the interface the native token has 18 decimals on every chain, whatever wallets show.
  const native =
    chain && ({ ...chain.nativeCurrency, address: nativeToken, decimals: 18 } satisfies Token);
  const others = listed.tokens.filter(({ address }) => address !== nativeToken);
  return { native, tokens: native === undefined ? others : [native, ...others] };
}

const pair = /^([^\s/]+)\/([^\s/]+)$/;

/** Whether a word of the command line is two tokens, as `ETH/USDC`, and not the address of a resource. */
export function isPair(word: string): boolean {
  return pair.test(word);
}

/**
 * The resource of a pair of symbols or addresses, the token that is sold first. Throws `UsageError`
 * for a symbol that no known token has or that several share, and `ServerError`.
 */
export async function findPairTarget(
  server: ServerClient,
  { word, chainId }: { readonly word: string; readonly chainId: string },
): Promise<string> {
  const [, from = '', to = ''] = pair.exec(word) ?? [];
  const isListNeeded = !isAddress(from) || !isAddress(to);
  const tokens = isListNeeded ? (await listKnownTokens(server, chainId)).tokens : [];
  const addressOf = (token: string) =>
    isAddress(token) ? token : findToken(token, tokens).address;
  return `//swap/chains/${chainId}/pairs/${addressOf(from)}-${addressOf(to)}`;
}

/**
 * The first account that every Ethereum development tool derives from the mnemonic "test test test test
 * test test test test test test test junk". Its key is public, so it is for the development chain and
 * nothing else.
 */
export const testAccount = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const;

/** The development chain, the only one on which the test account may sign. */
export const developmentChainId = 31337;
