import { z } from 'zod';
import { readJson } from '../../kernel/text/json.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { TimedOut, withDeadline } from '../../kernel/wait/deadline.ts';
import { swapLimits } from '../limits.ts';
import { SwapError } from '../model.ts';
import type { QuoteRequest, Slippage } from '../quote/quote.ts';
import { clean, cleanAnswer, cleanText, findMismatch } from './check-upstream-answer.ts';
import { errorEnvelope, successEnvelope, swapResponseData } from './operations/answer-schemas.ts';
import type { QuoteAnswer } from './to-quote-answer.ts';

/** Another server with the same interface, for chains on which this one knows no exchanges. */
export type UpstreamQuotes = {
  quote(request: QuoteRequest, options: { signal: AbortSignal }): Promise<QuoteAnswer>;
};

/** Marks a forwarded request (RFC 9110, section 7.6.3), so that two servers never forward in a circle. */
export const viaTradewind = '1.1 tradewind';

// As long as a patient caller waits; a cold quote of the upstream takes seconds.
const timeoutMs = 15_000;

const mostBytes = swapLimits.upstreamAnswer.value;

const answerEnvelope = successEnvelope(swapResponseData);

/**
 * Forwards requests to the server at `url` (Q12); a user name and password in it travel as Basic
 * authorization. The answer is checked against the schema of the interface and against the request, and passed on with
 * the upstream's own additions, its texts cleaned [F73].
 *
 * Throws `INVALID_PARAMS` or `UNSUPPORTED_CHAIN` where the upstream refuses the request with 400, and
 * `UPSTREAM_ERROR` for every other failure. No error repeats the URL, which may hold a key.
 */
export function createUpstreamQuotes(options: {
  url: string;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}): UpstreamQuotes {
  const { fetch, clock } = options;
  const { base, headers } = splitCredentials(options.url);
  return {
    async quote(request, { signal }) {
      const url = new URL(quoteQuery(request), base);
      try {
        return await withDeadline({ clock, milliseconds: timeoutMs, signal }, async (signal) => {
          const response = await fetch(url, { headers, redirect: 'error', signal });
          const body = await readJson(response, { mostBytes }).catch(() => undefined);
          return readAnswer({ status: response.status, body, request, base });
        });
      } catch (error) {
        if (error instanceof SwapError || signal.aborted) throw error;
        const reason =
          error instanceof TimedOut
            ? `did not answer within ${timeoutMs / 1_000} seconds`
            : 'could not be reached';
        throw upstreamError(base.host, reason);
      }
    },
  };
}

function splitCredentials(url: string): { base: URL; headers: Record<string, string> } {
  const base = new URL(url);
  const { username, password } = base;
  base.username = '';
  base.password = '';
  // Without a slash at its end, the base would lose its last segment when a path is resolved against it.
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const headers = { Accept: 'application/json', Via: viaTradewind };
  if (username === '' && password === '') return { base, headers };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { base, headers: { ...headers, Authorization } };
}

function readAnswer(answer: {
  status: number;
  body: unknown;
  request: QuoteRequest;
  base: URL;
}): QuoteAnswer {
  const { status, body, request, base } = answer;
  const { host } = base;
  if (status === 200) {
    const envelope = answerEnvelope.safeParse(body);
    if (!envelope.success) {
      const problem = cleanText(z.prettifyError(envelope.error), 500);
      throw upstreamError(host, `answered something that is not a quote: ${problem}`);
    }
    // Checked just above; the schema would drop additions inside tokens and transactions.
    const { data } = body as { data: QuoteAnswer };
    const mismatch = findMismatch(data, request);
    if (mismatch === undefined) return cleanAnswer(data, base);
    throw upstreamError(host, `answered a quote for something else: ${mismatch}`);
  }
  const { data: refusal } = errorEnvelope.safeParse(body);
  const { code, message, details } = refusal?.error ?? {};
  if (status !== 400 || message === undefined) {
    throw upstreamError(
      host,
      `answered ${status}${code === undefined ? '' : ` ${cleanText(code, 64)}`}`,
    );
  }
  throw new SwapError(
    code === 'UNSUPPORTED_CHAIN' ? code : 'INVALID_PARAMS',
    `The upstream server ${host} refuses the request: ${cleanText(message)}`,
    details === undefined ? {} : { details: clean(details) as typeof details },
  );
}

function upstreamError(host: string, reason: string): SwapError {
  return new SwapError(
    'UPSTREAM_ERROR',
    `The upstream server ${host} ${reason}; try again later.`,
    {
      details: { attempts: [{ endpoint: host, message: reason }] },
    },
  );
}

/**
 * The path and query that ask a server of this interface for a quote: the inverse of reading one.
 */
function quoteQuery(request: QuoteRequest): string {
  const { chainId, tokenIn, tokenOut, amountIn, amountOut, maxSlippage, sender } = request;
  const { recipient, gasPrice, dexes, excludeDexes, router, fee, feeRecipient, permit } = request;
  const query = new URLSearchParams({
    tokenIn,
    tokenOut,
    ...(amountIn === undefined ? {} : { amount: amountIn.toString() }),
    ...(amountOut === undefined ? {} : { amountOut: amountOut.toString() }),
    maxSlippage: slippageText(maxSlippage),
    sender,
    ...(recipient && { recipient }),
    ...(gasPrice === undefined ? {} : { gasPrice: gasPrice.toString() }),
    ...(dexes && { dexes: dexes.join(',') }),
    ...(excludeDexes && { excludeDexes: excludeDexes.join(',') }),
    ...(router && { router }),
    ...(fee === undefined ? {} : { fee: decimalText(fee, 9) }),
    ...(feeRecipient && { feeRecipient }),
    ...(permit && { permit }),
  });
  return `v1/swap/${chainId}?${query}`;
}

/** Exact, since the denominator of a slippage that was read from decimal text is a power of ten. */
function slippageText({ numerator, denominator }: Slippage): string {
  return decimalText(numerator, denominator.toString().length - 1);
}

/** In plain digits, which every server of the interface reads. */
function decimalText(value: bigint, places: number): string {
  if (places === 0) return value.toString();
  if (value % 10n === 0n) return decimalText(value / 10n, places - 1);
  const digits = value.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
