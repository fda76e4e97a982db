// biome-ignore lint/suspicious/noTsIgnore: users may have no Hono, and the declarations keep only a doc comment
/** @ts-ignore Without Hono this type is `any`. */
import type { MiddlewareHandler } from 'hono';
import type { Guard, Principal, Requirement } from './principal.ts';

/**
 * Where a handler behind {@link honoGuard} finds the principal: `c.get('principal')`.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono';
 * import type { GuardEnv } from 'tradewind/guard';
 *
 * export const app = new Hono<GuardEnv>().get('/mcp', (c) => c.text(c.get('principal').subject));
 * ```
 */
export type GuardEnv = { Variables: { principal: Principal } };

/**
 * Lets a request through only if it meets the requirement; any other gets the guard's answer.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono';
 * import { createGuard, honoGuard } from 'tradewind/guard';
 *
 * const guard = createGuard({
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 * });
 * export const app = new Hono();
 * app.get(guard.metadata.path, (c) => c.json(guard.metadata.document));
 * app.use('/mcp', honoGuard(guard, { scope: ['crm.read'] }));
 * ```
 */
export function honoGuard(guard: Guard, requirement?: Requirement): MiddlewareHandler<GuardEnv> {
  return async (c, next) => {
    const judged = await guard.protect(c.req.raw, requirement);
    if (judged instanceof Response) return judged;
    c.set('principal', judged);
    return next();
  };
}
