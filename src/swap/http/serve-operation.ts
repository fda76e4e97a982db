import type { Hono, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import { SwapError } from '../swap-error.ts';
import type { Envelopes } from './create-envelopes.ts';
import type { Operation } from './operation.ts';

/** What an answer is made of. `request` is for headers: parameters have been read. */
export type OperationInput<Parameters> = {
  readonly parameters: Parameters;
  readonly request: Request;
};

export type OperationServer = <Parameters extends z.ZodObject, Data extends z.ZodObject>(
  operation: Operation<Parameters, Data>,
  answer: (input: OperationInput<z.output<Parameters>>) => Promise<z.input<Data>>,
) => void;

/**
 * Puts operations on an app: parameters are read by their schema, the answer goes into the success
 * envelope, and those that declare 429 pass the limit first. Answers are held to the schema by type
 * only. Throws `INVALID_PARAMS` with every bad parameter named in `details` (Q2).
 */
export function createOperationServer(options: {
  app: Hono<EdgeEnv>;
  envelopes: Envelopes;
  limit: MiddlewareHandler<EdgeEnv>;
}): OperationServer {
  const { app, envelopes, limit } = options;
  return ({ path, parameters: schema, errors }, answer) => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(pattern, errors.includes(429) ? limit : pass, async (c) => {
      const parameters = readParameters(schema, { ...c.req.queries(), ...c.req.param() });
      return envelopes.success(c, await answer({ parameters, request: c.req.raw }));
    });
  };
}

const pass: MiddlewareHandler<EdgeEnv> = (_c, next) => next();

function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, string | string[]>>,
): z.output<Schema> {
  const single = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) && value.length === 1 ? value[0] : value,
  ]);
  const result = schema.safeParse(Object.fromEntries(single));
  if (result.success) return result.data;
  const details: Record<string, string> = {};
  for (const { path, message } of result.error.issues) details[path.join('.')] ??= message;
  const problems = Object.entries(details).map(([name, problem]) => `${name} ${problem}`);
  throw new SwapError('INVALID_PARAMS', `${problems.join('; ')}.`, { details });
}
