import type { MiddlewareHandler } from 'hono';
import type { Guard, Principal, Requirement } from './principal.ts';

/** Where a handler behind {@link honoGuard} finds who asks: `c.get('principal')`. */
export type GuardEnv = { Variables: { principal: Principal } };

/** Lets only requests through that meet the requirement; others get the guard's answer. */
export function honoGuard(guard: Guard, requirement?: Requirement): MiddlewareHandler<GuardEnv> {
  return async (c, next) => {
    const judged = await guard.protect(c.req.raw, requirement);
    if (judged instanceof Response) return judged;
    c.set('principal', judged);
    return next();
  };
}
