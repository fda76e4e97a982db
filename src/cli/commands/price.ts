import type { Command } from '../command.ts';
import { exchangeOptions, readExchanges } from '../input/swap-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { renderQuote } from '../render/quote.ts';
import { askForQuote, developmentChainId } from '../server/ask-for-quote.ts';
import { serverOf, serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind price`: shows what a swap would give, without sender, trial or transaction. */
export const priceCommand: Command = {
  operands: '<amount> <from> <to>',
  description:
    'Tokens are symbols or addresses; the amount is in whole tokens. There is no trial and no transaction:\nfor these use `tradewind quote`.\n\n  tradewind price 1.5 ETH USDC\n  tradewind price 1000 USDC WBTC --exclude-dexes uniswap-v2 --chain 1',
  options: {
    chain: { type: 'string', argument: '<id>', help: 'The chain. Default: 31337.' },
    ...exchangeOptions,
    server: serverOption,
    json: { type: 'boolean', help: 'Print the price as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const [amount, from, to, ...more] = input.operands;
    if (amount === undefined || from === undefined || to === undefined || more.length > 0) {
      throw new UsageError('Give the amount and two tokens, as in: tradewind price 1.5 ETH USDC.');
    }
    const chainId = String(input.flags.chain ?? developmentChainId);
    const server = serverOf(input);
    const { quote, native } = await showProgress(stderr, `asking ${server.origin}`, () =>
      askForQuote(server, {
        ...{ amount, from, to, chainId, sender: undefined },
        ...readExchanges(input.flags),
      }),
    );
    if (input.flags.json) stdout.write(`${JSON.stringify(quote)}\n`);
    else {
      const width = stdout.isTTY ? (stdout.columns ?? 80) - 4 : 0;
      stdout.write(renderQuote({ quote, nativeSymbol: native?.symbol ?? '', width }));
    }
    return 0;
  },
};
