import type { Clock } from '../clock.ts';
import { type EdgeError, edgeErrorStatus } from './edge-error.ts';
import type { EdgeRequest } from './edge-request.ts';

/** Writes a refusal of the edge in a service's own envelope. */
export type WriteRefusal = (
  error: EdgeError,
  refused: { readonly request: EdgeRequest; readonly requestId: string },
) => Response | Promise<Response>;

/** The envelope for paths whose service brings no writer: that of the quote interface. */
export function writeRefusal(clock: Clock): WriteRefusal {
  return ({ code, message, details }) => {
    const timestamp = new Date(clock.now()).toISOString();
    const error = details === undefined ? { code, message } : { code, message, details };
    return Response.json({ success: false, error, timestamp }, { status: edgeErrorStatus[code] });
  };
}
