import type { QuoteAnswer } from '../../swap/wire.ts';
import type { Command, CommandInput } from '../command.ts';
import type { Execution } from '../execute-swap.ts';
import { exchangeOptions, parseSlippageFlag, readExchanges } from '../input/swap-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { renderQuote } from '../render/quote.ts';
import {
  askForQuote,
  developmentChainId,
  type SwapWish,
  testAccount,
} from '../server/ask-for-quote.ts';
import type { ServerClient } from '../server/server-client.ts';
import { serverOf, serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind quote`: asks a running server for a quote, draws its route and, on the development chain, can execute it. */
export const quoteCommand: Command = {
  operands: '<amount> <from> <to>',
  description:
    'Tokens are symbols or addresses; the amount is in whole tokens. On the development chain (31337), which\nis the default, --execute signs with a well-known test account and shows what was received.\n\n  tradewind quote 1.5 ETH USDC\n  tradewind quote 1000 USDC WBTC --slippage 0.1% --execute\n  tradewind quote 1000 USDC WBTC --permit auto --execute\n  tradewind quote 1 ETH 0xdAC17F958D2ee523a2206206994597C13D831ec7 --chain 1 --sender 0x…',
  options: {
    chain: { type: 'string', argument: '<id>', help: 'The chain. Default: 31337.' },
    slippage: {
      type: 'string',
      argument: '<percent>',
      help: 'How much less than expected the transaction may give. Default: 0.5%.',
    },
    sender: {
      type: 'string',
      argument: '<address>',
      help: 'The account that signs and receives the output. Default on the development chain: its first test account.',
    },
    recipient: {
      type: 'string',
      argument: '<address>',
      help: 'The account that receives the output instead of the sender.',
    },
    ...exchangeOptions,
    permit: {
      type: 'string',
      argument: '<kind>',
      help: 'Sign a permit instead of sending an approval: auto, eip2612 or permit2. --json prints what to sign.',
    },
    execute: {
      type: 'boolean',
      help: 'Send the transaction; on the development chain only.',
    },
    server: serverOption,
    json: { type: 'boolean', help: 'Print the quote as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const wish = readWish(input);
    const server = serverOf(input);
    const { quote, native } = await showProgress(stderr, `asking ${server.origin}`, () =>
      askForQuote(server, wish),
    );
    const execution = input.flags.execute
      ? await showProgress(stderr, 'sending the transaction', () => execute(quote, server))
      : undefined;
    if (input.flags.json) {
      const result = execution === undefined ? quote : { ...quote, execution };
      stdout.write(`${JSON.stringify(result, bigintToText)}\n`);
      return 0;
    }
    const width = stdout.isTTY ? (stdout.columns ?? 80) - 4 : 0;
    stdout.write(renderQuote({ quote, execution, nativeSymbol: native?.symbol ?? '', width }));
    return 0;
  },
};

function readWish({ operands, flags }: CommandInput): SwapWish {
  const [amount, from, to, ...more] = operands;
  if (amount === undefined || from === undefined || to === undefined || more.length > 0) {
    throw new UsageError('Give the amount and two tokens, as in: tradewind quote 1.5 ETH USDC.');
  }
  const chainId = String(flags.chain ?? developmentChainId);
  if (!/^[1-9]\d*$/.test(chainId)) {
    throw new UsageError(
      `--chain is ${JSON.stringify(chainId)} but must be a whole number above 0; for example --chain 1.`,
    );
  }
  const isDevelopment = chainId === String(developmentChainId);
  const { sender = isDevelopment ? testAccount.address : undefined, slippage } = flags;
  if (flags.execute && !isDevelopment) {
    throw new UsageError(
      `--execute works on the development chain (${developmentChainId}) only: on chain ${chainId}, sign the tx of --json with your own wallet.`,
    );
  }
  if (flags.execute && flags.recipient !== undefined) {
    throw new UsageError('--execute shows what the test account received: leave --recipient out.');
  }
  if (sender === undefined) {
    // A default sender would be somebody else's account, and that account would receive the output.
    throw new UsageError(
      `Name the account that signs on chain ${chainId} with --sender 0x…; it also receives the output.`,
    );
  }
  if (flags.execute && String(sender).toLowerCase() !== testAccount.address.toLowerCase()) {
    throw new UsageError(
      `--execute signs with the test account ${testAccount.address}: leave --sender out.`,
    );
  }
  const maxSlippage = slippage === undefined ? undefined : parseSlippageFlag(String(slippage));
  const recipient = flags.recipient === undefined ? undefined : String(flags.recipient);
  const permit = flags.permit === undefined ? undefined : String(flags.permit);
  const exchanges = readExchanges(flags);
  return {
    amount,
    from,
    to,
    chainId,
    sender: String(sender),
    maxSlippage,
    recipient,
    permit,
    ...exchanges,
  };
}

async function execute(quote: QuoteAnswer, server: ServerClient): Promise<Execution> {
  // Loaded only when something is signed, since it imports all of viem.
  const { executeSwap } = await import('../execute-swap.ts');
  return executeSwap(quote, quote.rpcUrl ?? `${server.origin}/rpc/${developmentChainId}`);
}

function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
