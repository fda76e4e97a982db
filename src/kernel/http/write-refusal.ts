import type { Context } from 'hono';
import type { Clock } from '../clock.ts';
import type { EdgeEnv } from './edge-env.ts';
import { type EdgeError, edgeErrorStatus } from './edge-error.ts';

/** Writes a refusal of the edge in a service's own envelope. */
export type WriteRefusal = (error: EdgeError, c: Context<EdgeEnv>) => Response | Promise<Response>;

/** The envelope for paths whose service brings no writer: that of the quote interface. */
export function writeRefusal(clock: Clock): WriteRefusal {
  return ({ code, message, details }, c) => {
    const timestamp = new Date(clock.now()).toISOString();
    const error = details === undefined ? { code, message } : { code, message, details };
    return c.json({ success: false, error, timestamp }, edgeErrorStatus[code]);
  };
}
