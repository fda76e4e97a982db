import { isLoopbackHost } from '../../kernel/model/network.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import { nativeToken } from '../model.ts';
import { permit2Address } from '../permit.ts';
import type { QuoteRequest } from '../quote/quote.ts';
import type { QuoteAnswer } from './to-quote-answer.ts';

/**
 * What an upstream's answer says otherwise than it was asked, in words; undefined where all of it fits [F73]. Compares sender,
 * recipient, tokens, amount and chain wherever the answer has them, and what is sent or signed before the transaction.
 * Cannot tell what the data of the transaction does.
 */
export function findMismatch(answer: QuoteAnswer, request: QuoteRequest): string | undefined {
  const { tx, approval = [], permit } = answer;
  const { recipient, chainId } = Object(answer) as Readonly<Record<string, unknown>>; // additions of the upstream
  const wanted = request.recipient ?? request.sender;
  const expectations: readonly (readonly [name: string, told: unknown, asked: unknown])[] = [
    ['tokenFrom.address', answer.tokenFrom?.address, request.tokenIn],
    ['tokenTo.address', answer.tokenTo?.address, request.tokenOut],
    ['tx.from', tx?.from, request.sender],
    ['recipient', typeof recipient === 'string' ? recipient : undefined, wanted],
    ['chainId', typeof chainId === 'object' ? undefined : chainId, request.chainId],
    ...approval.flatMap(({ from, to, value = '0', data }) => [
      ['approval.from', from, request.sender] as const,
      ['approval.to', to, request.tokenIn] as const,
      ['approval.value', unitsIn(value), 0n] as const,
      ['approval.data', data.slice(0, approve.length), approve] as const,
    ]),
    ...(permit === undefined ? [] : permitExpectations(permit, request)),
  ];
  const wrong = expectations.find(
    ([, told, asked]) =>
      told !== undefined && String(told).toLowerCase() !== String(asked).toLowerCase(),
  );
  if (wrong !== undefined) return `${wrong[0]} is ${shorten(String(wrong[1]))} and not ${wrong[2]}`;
  return wrongDecimals(answer) ?? wrongAmount(answer, request);
}

/** The selector of `approve(address,uint256)`. */
const approve = '0x095ea7b3';

function permitExpectations(
  { kind, typedData: { domain, message } }: NonNullable<QuoteAnswer['permit']>,
  { permit, tokenIn, sender, chainId }: QuoteRequest,
) {
  const permitted = Object(message.permitted) as Readonly<Record<string, string>>; // one of both kinds has it
  const [contract, part, told, asked] =
    kind === 'permit2'
      ? ([permit2Address, 'permitted.token', permitted.token, tokenIn] as const)
      : ([tokenIn, 'owner', message.owner, sender] as const);
  return [
    ['permit.kind', kind, permit === 'auto' ? kind : (permit ?? 'absent, as nobody asked for it')],
    ['permit.typedData.domain.verifyingContract', domain.verifyingContract, contract],
    ['permit.typedData.domain.chainId', domain.chainId ?? chainId, chainId],
    [`permit.typedData.message.${part}`, told ?? 'absent', asked],
  ] as const;
}

function wrongDecimals({ tokenFrom, tokenTo, tokens = [] }: QuoteAnswer): string | undefined {
  const wrong = [tokenFrom, tokenTo, ...tokens].find(
    (token) =>
      token && !(Number.isInteger(token.decimals) && token.decimals >= 0 && token.decimals < 256),
  );
  return wrong && `decimals of ${wrong.address} are ${wrong.decimals}, which no token can have`;
}

function wrongAmount(answer: QuoteAnswer, { amountIn, amountOut, tokenIn }: QuoteRequest) {
  const given = (text: string | undefined) => (text === undefined ? undefined : unitsIn(text));
  const isWhole = answer.status === 'Successful';
  const [spent, least] = [given(answer.amountIn), given(answer.minAmountOut)];
  if (
    amountIn !== undefined &&
    spent !== undefined &&
    (isWhole ? spent !== amountIn : spent > amountIn)
  ) {
    return `amountIn is ${shorten(String(spent))} and not ${amountIn}`;
  }
  if (isWhole && amountOut !== undefined && least !== undefined && least < amountOut) {
    return `minAmountOut is ${shorten(String(least))}, which is less than ${amountOut}`;
  }
  const most =
    tokenIn === nativeToken ? (amountIn ?? given(answer.maxAmountIn ?? answer.amountIn)) : 0n;
  const sent = given(answer.tx?.value) ?? 0n;
  if (most !== undefined && sent > most)
    return `tx.value is ${shorten(String(sent))}, above ${most}`;
  return undefined;
}

/** Digits as a number. What no chain can have becomes more than any chain has: reading millions of digits would take long. */
function unitsIn(digits: string): bigint {
  return digits.length > 78 ? 2n ** 256n : BigInt(digits);
}

function shorten(text: string): string {
  return cleanText(text, 100);
}

/** Longer than any honest name or sentence in a quote. */
const longestName = 64;
const longestText = 1_000;
/** What a wallet sends or signs, and stays as it is: the schema has checked what of it is text. */
const kept = new Set(['tx', 'approval', 'permit']);
const names = new Set(['name', 'symbol', 'exchange']);

/**
 * An upstream's answer as callers get it [F73]: texts lose their control characters and what they have beyond a bound, and RPC endpoints are
 * left that a caller may use: over HTTPS, or over HTTP on this machine where the upstream is there too. Additions of the upstream stay.
 */
export function cleanAnswer(answer: QuoteAnswer, upstream: Pick<URL, 'hostname'>): QuoteAnswer {
  const cleaned = Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      kept.has(name) ? value : clean(value, name),
    ]),
  ) as QuoteAnswer; // cleaning changes texts alone
  const isUsable = (text: string) => isUsableEndpoint(text, upstream);
  const { rpcUrl, rpcUrls, ...rest } = cleaned;
  const usable = (rpcUrls ?? []).filter(isUsable);
  const [first = rpcUrl !== undefined && isUsable(rpcUrl) ? rpcUrl : undefined] = usable;
  return {
    ...rest,
    ...(first === undefined ? {} : { rpcUrl: first }),
    ...(rpcUrls === undefined ? {} : { rpcUrls: usable }),
  };
}

/** Any value of JSON with its texts cleaned. `name` is that of the field in which it stands. */
export function clean(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return cleanText(value, names.has(name) ? longestName : longestText);
  if (Array.isArray(value)) return value.map((item) => clean(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key, longestName), clean(inner, key)]),
  );
}

export function cleanText(text: string, longest = longestText): string {
  const shown = text
    .slice(0, 4 * longest)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  return [...shown].slice(0, longest).join('');
}

function isUsableEndpoint(text: string, upstream: Pick<URL, 'hostname'>): boolean {
  const url = parseUrl(text);
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  const isHere = isLoopbackHost(url.hostname);
  if (isHere) return isLoopbackHost(upstream.hostname) && /^https?:$/.test(url.protocol);
  return url.protocol === 'https:';
}
