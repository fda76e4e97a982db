import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { type Answer, packAnswer, toResponse } from '../../kernel/edge/answer.ts';
import { edgeErrorStatus } from '../../kernel/edge/edge-error.ts';
import {
  type CallContext,
  chooseOperation,
  type DirectCall,
} from '../../kernel/edge/index-operations.ts';
import { countRequest } from '../../kernel/edge/limit-rate.ts';
import type { Mount } from '../../kernel/edge/mount.ts';
import type { Operation, Service } from '../../kernel/edge/operation.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { EdgeRequest } from '../../kernel/edge/request.ts';
import type { DomainError } from '../../kernel/model/domain-error.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { SwapError, type SwapErrorCode } from '../model.ts';
import type { QuoteCaller, SwapUseCases } from '../swap-use-cases.ts';
import { createSwapAnswers, type GivenParameters } from './create-swap-answers.ts';
import { type ExampleTrade, writeExamples } from './examples.ts';
import {
  chainsOperation,
  endpointsOperation,
  examplesOperation,
  historyOperation,
  priceOperation,
  quoteOperation,
  swapService,
  tokensOperation,
} from './operations/operations.ts';
import type { SwapOperation } from './operations/swap-operation.ts';
import { type UpstreamQuotes, viaTradewind } from './upstream-quotes.ts';

export type SwapMountOptions = {
  readonly useCases: SwapUseCases;
  /** Asked for chains without deployments here. */
  readonly upstream?: UpstreamQuotes;
  /** Buckets of callers known by their address only. */
  readonly limiter: RateLimiter;
  /** Callers with a token, who have buckets of their own. */
  readonly authorized?: AuthorizedCallers;
  readonly clock: Clock;
  readonly publicUrl: URL;
  readonly exampleTrade: ExampleTrade;
};

/** The published interface of the swap service, ready to be mounted on the edge. */
export function createSwapMount(options: SwapMountOptions): Mount & { service: Service } {
  const { publicUrl, exampleTrade } = options;
  const envelopes = createEnvelopes(options.clock);
  const answers = createSwapAnswers(options);
  const examples = writeExamples(publicUrl, exampleTrade);

  const served = [
    serve(examplesOperation, async () => ({ examples })),
    serve(quoteOperation, ({ given, caller, signal, request }) =>
      answers.quote(given, {
        signal,
        caller,
        isForwarded: request.header('via')?.includes(viaTradewind) ?? false,
      }),
    ),
    serve(priceOperation, ({ given, caller, signal }) => answers.price(given, { signal, caller })),
    serve(historyOperation, ({ given }) => answers.history(given)),
    serve(endpointsOperation, ({ given }) => answers.endpoints(given)),
    serve(chainsOperation, () => answers.chains()),
    serve(tokensOperation, ({ given, signal }) => answers.tokens(given, { signal })),
  ];

  const origins = 'any';
  return {
    ...answerOperations({ served, envelopes, count: limitQuotes(options) }),
    paths: {
      '/v1/swap/*': { origins },
      '/v1/price/*': { origins },
      '/v1/chains/*': { origins },
      '/v1/tokens/*': { origins },
    },
    service: { ...swapService, sample: examples.curl },
    // The edge writes its own refusals in the error envelope too.
    writeRefusal: (error) => toResponse(envelopes.error(error, edgeErrorStatus[error.code])),
  };
}

/** A request for an operation: its parameters from path and query, and who sent it. */
type SwapCall = {
  readonly given: GivenParameters;
  readonly request: Pick<EdgeRequest, 'header'>;
  readonly caller: QuoteCaller;
  readonly signal: AbortSignal;
};

type ServedOperation = readonly [Operation, (call: SwapCall) => Promise<object>];

/** Joins an operation with its answer. Only the type checks the answer against the schema. */
function serve<Data extends z.ZodObject>(
  operation: SwapOperation<z.ZodObject, Data>,
  answer: (call: SwapCall) => Promise<z.input<Data>>,
): ServedOperation {
  return [operation, answer];
}

/**
 * Answers operations in the success envelope and refusals in the error envelope. Operations with a quota are
 * counted first, and their headers say what is left. They are called often, so they take the direct way. Errors
 * other than `SwapError` are left to the edge.
 */
function answerOperations(options: {
  readonly served: readonly ServedOperation[];
  readonly envelopes: Envelopes;
  count(call: UncountedRequest): Promise<AdmittedRequest>;
}): Required<Pick<Mount, 'answer' | 'direct'>> {
  const { envelopes, count } = options;
  const served = new Map(options.served);
  const counted = new Set([...served.keys()].filter(({ quota }) => quota !== undefined));

  async function answerCall(call: DirectCall, request?: Request): Promise<Answer> {
    const { matched, query, context, signal } = call;
    const { operation, variables } = matched;
    const answer = served.get(operation);
    if (answer === undefined) throw new Error(`Nothing answers the operation ${operation.id}.`);
    const { caller, headers } = counted.has(operation)
      ? await count({ request, context })
      : withoutQuota(context);
    const given = { ...readQuery(query), ...variables };
    const answered = await answer({ given, request: context.request, caller, signal }).then(
      envelopes.success,
      (error) => {
        if (!(error instanceof SwapError)) throw error;
        return envelopes.error(error, swapErrorStatus[error.code]);
      },
    );
    return { ...answered, headers: { ...answered.headers, ...headers } };
  }

  return {
    direct: { operations: counted, answer: (call) => answerCall(call) },
    async answer({ request, matched, context }) {
      const { method, signal } = request;
      const chosen = chooseOperation(matched, { method, path: context.request.path });
      const { query } = context.request.address;
      const answer = await answerCall({ matched: chosen, query, context, signal }, request);
      // Operations without a quota answer lists, which are long and the same for everybody.
      return counted.has(chosen.operation)
        ? toResponse(answer)
        : packAnswer(request, toResponse(answer));
    },
  };
}

function withoutQuota({ caller }: CallContext): AdmittedRequest {
  return { caller: { key: caller.key, hasToken: false }, headers: {} };
}

function readQuery(query: string): Record<string, string[]> {
  // Without a prototype, so that a parameter may have any name.
  const given: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    given[name] ??= [];
    given[name].push(value);
  }
  return given;
}

/** Callers with an access token: who they are, and the buckets they have instead of those of their address. */
type AuthorizedCallers = {
  /** The subject of a valid token in the request; undefined where there is none. */
  subjectOf(request: Request): Promise<string | undefined>;
  readonly limiter: RateLimiter;
};

/** Who sent a request. Without a `Request` it has no token. */
type UncountedRequest = {
  readonly request: Request | undefined;
  readonly context: Pick<CallContext, 'caller'>;
};

/** A counted request: who sent it, and the headers that say what is left. */
type AdmittedRequest = {
  readonly caller: QuoteCaller;
  readonly headers: Readonly<Record<string, string>>;
};

const windowSeconds = 60;

/**
 * Counts requests against the caller's bucket: that of the subject where a token names one, else that
 * of the address. The limiters hold the sizes. Throws `RATE_LIMITED`.
 */
function limitQuotes(options: {
  readonly limiter: RateLimiter;
  readonly authorized?: AuthorizedCallers | undefined;
}): (call: UncountedRequest) => Promise<AdmittedRequest> {
  const { limiter, authorized } = options;
  return async ({ request, context }) => {
    const subject = request && (await authorized?.subjectOf(request));
    const key = subject ?? context.caller.key;
    const limit =
      subject === undefined || authorized === undefined
        ? { limiter, policy: 'quotes', windowSeconds }
        : { limiter: authorized.limiter, policy: 'quotes-with-token', windowSeconds };
    const headers = await countRequest(limit, key);
    return { caller: { key, hasToken: subject !== undefined }, headers };
  };
}

/** The two envelopes: every answer of the interface has one of them as its body. */
type Envelopes = {
  success(data: object): Answer;
  error(error: DomainError, status: number): Answer;
};

/** Writes the success and error envelopes of the quote interface; `timestamp` is the time of writing. */
function createEnvelopes(clock: Clock): Envelopes {
  // An answer is valid for its moment only: no cache may serve it later.
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  const timestamp = () => new Date(clock.now()).toISOString();
  return {
    success: (data) => ({
      status: 200,
      headers,
      body: JSON.stringify({ success: true, data, timestamp: timestamp() }),
    }),
    error({ code, message, details }, status) {
      const error = details === undefined ? { code, message } : { code, message, details };
      const wait = details?.retryAfterSeconds;
      const retry = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
      const body = JSON.stringify({ success: false, error, timestamp: timestamp() });
      return { status, headers: { ...headers, ...retry }, body };
    },
  };
}

/** Every error of the swap service with its HTTP status (Q2). */
export const swapErrorStatus = {
  INVALID_PARAMS: 400,
  UNSUPPORTED_CHAIN: 400,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
} as const satisfies Record<SwapErrorCode, ContentfulStatusCode>;
