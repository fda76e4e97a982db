import type { Hono, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import type { Envelopes } from './create-envelopes.ts';
import type { GivenParameters } from './read-parameters.ts';
import type { SwapOperation } from './swap-operation.ts';

export type OperationServer = <Data extends z.ZodObject>(
  operation: SwapOperation<z.ZodObject, Data>,
  answer: (given: GivenParameters, request: Request) => Promise<z.input<Data>>,
) => void;

/**
 * Puts operations on an app: parameters are gathered from path and query, the answer goes into the
 * success envelope, and those with a quota pass the limit first. Answers are held to the schema
 * by type only; reading the parameters by theirs is left to the answer.
 */
export function createOperationServer(options: {
  app: Hono<EdgeEnv>;
  envelopes: Envelopes;
  limit: MiddlewareHandler<EdgeEnv>;
}): OperationServer {
  const { app, envelopes, limit } = options;
  return ({ path, quota }, answer) => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(pattern, quota === undefined ? pass : limit, async (c) => {
      const given = { ...c.req.queries(), ...c.req.param() };
      return envelopes.success(c, await answer(given, c.req.raw));
    });
  };
}

const pass: MiddlewareHandler<EdgeEnv> = (_c, next) => next();
