import { html, useEffect, useRef, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { parseAmount } from '../format.ts';
import { Field } from '../parts/form.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { useAnswer } from '../use-answer.ts';
import { testAccounts } from './execute-quote.ts';
import {
  type Chain,
  developmentChainId,
  nativeAddress,
  type QuoteAnswer,
  type Token,
} from './quote-answer.ts';

/** What a person typed. */
export type QuoteWish = {
  readonly chainId: string;
  readonly pay: string;
  readonly amount: string;
  readonly receive: string;
  readonly sender: string;
};

type QuoteFormProps = {
  /** A heading for the form, on a page that shows other things too. */
  readonly title?: string;
  readonly chains: readonly Chain[];
  readonly first: QuoteWish;
  readonly onQuote?: (quote: QuoteAnswer, chain: Chain) => void;
  /** Called with the input once the form is valid; the form then sends no request itself. */
  readonly onWish?: (wish: QuoteWish) => void;
  /** Whether the address has everything that a quote needs, so that the form requests it at once. */
  readonly isComplete?: boolean;
};

type Problems = Partial<Record<keyof QuoteWish, string>>;

/** The form of a quote (K1): tokens by symbol or address, an amount in whole units. */
export function QuoteForm(props: QuoteFormProps): VNode {
  const { title, chains, first, onQuote, onWish, isComplete } = props;
  const form = useRef<HTMLFormElement>(null);
  const [wish, setWish] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const [state, setState] = useState<{ isWaiting: boolean; error?: unknown }>({ isWaiting: false });
  const chain = chains.find(({ chainId }) => String(chainId) === wish.chainId) ?? chains[0];
  const { answer } = useAnswer(
    async (signal) => chain && listTokens(chain, signal),
    [chain?.chainId],
  );
  // The tokens of the previously chosen chain have other addresses.
  const known = answer?.chainId === chain?.chainId ? answer : undefined;
  useEffect(() => {
    if (isComplete && known !== undefined) form.current?.requestSubmit();
  }, [known === undefined]);
  const isDevelopment = chain?.chainId === developmentChainId;
  useEffect(() => {
    if (!isDevelopment || wish.sender !== '') return;
    void withTestAccount(wish).then(({ sender }) =>
      setWish((before) => ({ ...before, sender: before.sender || sender })),
    );
  }, [isDevelopment]);

  const change = (name: keyof QuoteWish) => (value: string) => {
    setWish((before) => ({ ...before, [name]: value }));
    setProblems(({ [name]: _mended, ...others }) => others);
  };

  async function ask(event: Event): Promise<void> {
    event.preventDefault();
    if (chain === undefined || state.isWaiting) return;
    setProblems({});
    setState({ isWaiting: true });
    try {
      // A person may press the button before the form has filled in the rest.
      const whole = isDevelopment ? await withTestAccount(wish) : wish;
      const { tokens } = known?.isNativeAlone === false ? known : await listTokens(chain);
      const read = await readWish(whole, { chain, tokens });
      if ('problems' in read) {
        setProblems(read.problems);
        setState({ isWaiting: false });
        return;
      }
      if (onWish !== undefined) return onWish(whole);
      remember(whole);
      onQuote?.(
        await callApi<QuoteAnswer>(`/v1/swap/${chain.chainId}`, { query: read.query }),
        chain,
      );
      setState({ isWaiting: false });
    } catch (error) {
      setProblems(problemsOf(error));
      setState({ isWaiting: false, error });
    }
  }

  const suggestions = known?.tokens.map(({ symbol, name }) => ({ value: symbol, text: name }));
  return html`<form ref=${form} class="card tall" onSubmit=${ask} novalidate>
    ${title && html`<h2>${title}</h2>`}
    <${Field} label="Chain" value=${wish.chainId} onChange=${change('chainId')} problem=${problems.chainId} attributes=${{ name: 'chainId' }}
      choices=${chains.map(({ chainId, name }) => ({ value: String(chainId), text: name }))} />
    <${Field} label="You pay" value=${wish.pay} onChange=${change('pay')} problem=${problems.pay} suggestions=${suggestions} attributes=${{ name: 'pay' }} hint=${known?.isNativeAlone ? `${chain?.name} does not answer now, so its tokens have no names here: give ${chain?.nativeCurrency.symbol} or an address.` : 'A symbol or an address.'} />
    <${Field} label="Amount" value=${wish.amount} onChange=${change('amount')} problem=${problems.amount} attributes=${{ name: 'amount', inputmode: 'decimal' }} />
    <${Field} label="You receive" value=${wish.receive} onChange=${change('receive')} problem=${problems.receive} suggestions=${suggestions} attributes=${{ name: 'receive' }} />
    <${Field} label="Sender" value=${wish.sender} onChange=${change('sender')} problem=${problems.sender} attributes=${{ name: 'sender', class: 'address' }}
      hint=${isDevelopment ? 'The wallet that signs; here a test account.' : 'The wallet that signs. It needs no balance for a quote.'} />
    <button class="main" aria-disabled=${state.isWaiting}>Get quote</button>
    ${state.isWaiting && html`<${Waiting}>Searching for the best route …<//>`}
    <${Problem} error=${state.error} /></form>`;
}

/** The wish with the first test account as the sender, unless it names one. */
async function withTestAccount(wish: QuoteWish): Promise<QuoteWish> {
  if (wish.sender.trim() !== '') return wish;
  const [sender = ''] = await testAccounts();
  return { ...wish, sender };
}

type ReadWish = { readonly query: Record<string, string> } | { readonly problems: Problems };

/** The parameters of the request, or what is wrong with the form. */
async function readWish(
  { pay, amount, receive, sender }: QuoteWish,
  { chain, tokens }: { chain: Chain; tokens: readonly Token[] },
): Promise<ReadWish> {
  const [from, to] = [matchToken(pay, tokens), matchToken(receive, tokens)];
  const unknown = (text: string) =>
    text.trim() === ''
      ? 'Name a token, by its symbol or its address.'
      : `No token of this chain is known here as “${text.trim()}”: give its address.`;
  const problems: Problems = {
    ...(from === undefined ? { pay: unknown(pay) } : {}),
    ...(to === undefined ? { receive: unknown(receive) } : {}),
    ...(sender.trim() === '' ? { sender: 'Name the wallet that will sign.' } : {}),
  };
  if (from === undefined || to === undefined || problems.sender) return { problems };
  const described = 'decimals' in from ? from : await describeToken(chain.chainId, from.address);
  if (described === undefined)
    return { problems: { pay: `${from.address} is not a token of this chain.` } };
  const units = parseAmount(amount, described.decimals);
  if (units === undefined) {
    const problem = `Give an amount above 0 with at most ${described.decimals} digits after the point.`;
    return { problems: { amount: problem } };
  }
  return {
    query: { tokenIn: from.address, tokenOut: to.address, amount: units, sender: sender.trim() },
  };
}

/** The form field that each parameter of the interface comes from. */
const fieldOf: Readonly<Record<string, keyof QuoteWish>> = {
  tokenIn: 'pay',
  tokenOut: 'receive',
  amount: 'amount',
  sender: 'sender',
};

function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, text]) =>
      fieldOf[name] === undefined ? [] : [[fieldOf[name], text]],
    ),
  );
}

/** Writes the form into the address, so that it can be shared and survives a reload. */
function remember(wish: QuoteWish): void {
  history.replaceState(null, '', `?${new URLSearchParams({ ...wish })}`);
}

/** The form from the address, else a swap that works at once on the development chain. */
export function firstWish(chains: readonly Chain[]): QuoteWish {
  const query = new URLSearchParams(location.search);
  const development = chains.find(({ chainId }) => chainId === developmentChainId);
  const chosen = chains.find(({ chainId }) => String(chainId) === query.get('chainId'));
  const chain = chosen ?? development ?? chains[0];
  return {
    chainId: String(chain?.chainId ?? ''),
    pay: query.get('pay') ?? chain?.nativeCurrency.symbol ?? '',
    amount: query.get('amount') ?? '1',
    receive: query.get('receive') ?? 'USDC',
    sender: query.get('sender') ?? '',
  };
}

/** The tokens of a chain that a person can name by symbol. */
type ListedTokens = {
  readonly chainId: number;
  readonly tokens: readonly Token[];
  /** Whether only the native token is known, because the server could not list the others. */
  readonly isNativeAlone: boolean;
};

/** The native token of a chain and then the tokens that the server knows there. */
async function listTokens(chain: Chain, signal?: AbortSignal): Promise<ListedTokens> {
  const { chainId, nativeCurrency } = chain;
  const native = { address: nativeAddress, ...nativeCurrency };
  try {
    const { tokens } = await callApi<{ tokens: readonly Token[] }>(`/v1/tokens/${chainId}`, {
      ...(signal === undefined ? {} : { signal }),
    });
    return { chainId, tokens: [native, ...tokens], isNativeAlone: false };
  } catch {
    return { chainId, tokens: [native], isNativeAlone: true };
  }
}

/** The token for a symbol or an address; `undefined` if the text is neither. */
function matchToken(
  text: string,
  tokens: readonly Token[],
): Token | { address: string } | undefined {
  const wanted = text.trim().toLowerCase();
  const known = tokens.find(
    ({ symbol, address }) => symbol.toLowerCase() === wanted || address.toLowerCase() === wanted,
  );
  if (known !== undefined) return known;
  return /^0x[0-9a-f]{40}$/.test(wanted) ? { address: text.trim() } : undefined;
}

/** Finds the decimals of a token by its address: the answer for a price describes the token. */
async function describeToken(chainId: number, address: string): Promise<Token | undefined> {
  const query = { tokenIn: address, tokenOut: nativeAddress, amount: '1' };
  const answer = await callApi<QuoteAnswer>(`/v1/price/${chainId}`, { query });
  return answer.tokenFrom;
}
