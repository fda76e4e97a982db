import { priceOperation, type QuoteAnswer, quoteOperation } from '../../../swap/wire.ts';
import { parseTokenAmount } from '../../input/parse-token-amount.ts';
import type { ServerClient } from '../create-server-client.ts';
import { ServerError } from '../server-error.ts';
import { findToken, isAddress } from './find-token.ts';
import { listKnownTokens } from './list-known-tokens.ts';

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
