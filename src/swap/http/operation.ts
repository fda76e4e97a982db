import type { z } from 'zod';

/** The statuses, other than 500, that an operation may refuse with. */
export type ErrorStatus = 400 | 429 | 502 | 503;

/**
 * One operation of the interface: a GET, declared together with what it takes and gives. It is served
 * and described from the same declaration, so that the two cannot differ.
 */
export type Operation<
  Parameters extends z.ZodObject = z.ZodObject,
  Data extends z.ZodObject = z.ZodObject,
> = {
  /** In OpenAPI form; parameters that it names in braces are read from it, all others from the query. */
  readonly path: `/${string}`;
  /** A name for generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** `data` of the success envelope. */
  readonly data: Data;
  /** 429 stands for a rate limit: only operations that list it count against one. */
  readonly errors: readonly ErrorStatus[];
};

/** Keeps the exact types of the schemas, which a plain annotation would widen. */
export function defineOperation<Parameters extends z.ZodObject, Data extends z.ZodObject>(
  operation: Operation<Parameters, Data>,
): Operation<Parameters, Data> {
  return operation;
}
