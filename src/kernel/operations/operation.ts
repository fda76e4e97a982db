import type { z } from 'zod';

export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of a service, declared once with what it takes and gives. Routes, the OpenAPI document,
 * the discovery document, the page at `/docs`, the types of the command line and the fuzzer are made from
 * this declaration.
 */
export type Operation<
  Parameters extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
> = {
  /** A name for generated clients; no other operation of the server has it. */
  readonly id: string;
  readonly method: OperationMethod;
  /**
   * As google.api.http writes it: `/v1/swap/{chainId}`, `/v1/{name=subscriptions/*}:reactivate`. `**`
   * stands for one or more segments.
   */
  readonly path: `/${string}`;
  /** A few words, as a heading. */
  readonly summary: string;
  readonly description: string;
  /** Parameters that the path names are read from it, all others from the query. */
  readonly parameters: Parameters;
  /** Headers that it reads beyond those of every request, by their names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: OperationBody;
  readonly answer: OperationAnswer<Answer>;
  /** The caller needs one of these; empty if no token is needed. */
  readonly scopes: readonly string[];
  /** The rate limit that a call counts against. */
  readonly quota?: string;
  /** The largest body in bytes, if it differs from the default of all paths. */
  readonly bodyBytes?: number;
  /** Every status that it refuses with, and what each means. 500 is a fault and never declared. */
  readonly errors: Readonly<Record<number, string>>;
};

/** What an operation reads from the body of a request. */
export type OperationBody = {
  /** Media types that it takes; the first is the usual one. */
  readonly types: readonly [string, ...string[]];
  readonly schema: z.ZodType;
};

/** What an operation answers when it does not refuse. */
export type OperationAnswer<Schema extends z.ZodType = z.ZodType> = {
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** JSON unless said otherwise. What is `text/html` is for people and not in the OpenAPI document. */
  readonly type?: string;
  /** Absent where the body is empty or is no JSON. */
  readonly schema?: Schema;
};

/** Keeps the exact types of the schemas, which a plain annotation would widen. */
export function declareOperation<Parameters extends z.ZodObject, Answer extends z.ZodType>(
  operation: Operation<Parameters, Answer>,
): Operation<Parameters, Answer> {
  return operation;
}

/** The JSON that a declared operation answers. */
export type AnswerOf<Declared extends { readonly answer: OperationAnswer }> =
  Declared['answer'] extends { readonly schema?: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : never;

/** The answers of several declared operations, by the names under which they are listed. */
export type AnswersOf<
  Declared extends Readonly<Record<string, { readonly answer: OperationAnswer }>>,
> = { readonly [Name in keyof Declared]: AnswerOf<Declared[Name]> };
