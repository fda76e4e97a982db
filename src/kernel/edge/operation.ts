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
type OperationBody = {
  /** Media types that it takes; the first is the usual one. */
  readonly types: readonly [string, ...string[]];
  readonly schema: z.ZodType;
};

/** What an operation answers when it does not refuse. */
type OperationAnswer<Schema extends z.ZodType = z.ZodType> = {
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

/** Operations that belong together: they share a tag, a form of refusals and named schemas. */
export type Service = {
  /** The tag of its operations. */
  readonly name: string;
  readonly description: string;
  /** The body of every refusal. */
  readonly error: z.ZodType;
  /** Names of schemas that stand in several answers; others are named by their `id` in `meta`. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Query parameters that all of its operations know. */
  readonly parameters?: z.ZodObject;
  readonly operations: readonly Operation[];
  /** A command that shows what the service does. */
  readonly sample?: string;
};

/** A scope, declared by the domain that requires it. The authorization server knows only declared scopes. */
export type ScopeDeclaration = {
  /** As clients ask for it, such as `swap.read` (RFC 6749 section 3.3). */
  readonly name: string;
  /** What people read when they are asked for consent: what the client will be able to do. */
  readonly description: string;
  /**
   * Who may hold it. `anyone`: a client for itself, or for any person who allows it. `admins`: only
   * the owner can allow it, and a client holds it for itself only if the operator created the client
   * and named the scope.
   */
  readonly holders: 'anyone' | 'admins';
  /** Whether a request that names no scope asks for it, where the client registered no other default. */
  readonly isDefault?: boolean;
};

/**
 * What an operation does, as a heading: the beginning of its description, which says it in the third person.
 * `Lists the people: …` becomes `List the people`.
 */
export function headingOf(description: string): string {
  const [beginning = ''] = description.split(/[.:]/, 1);
  return beginning.replace(/^(\w+(?:sh|ch|ss))es\b|^(\w+)s\b/, '$1$2');
}
