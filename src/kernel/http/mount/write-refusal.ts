import type { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/** Writes a refusal of the edge in a service's own envelope. */
export type WriteRefusal = (
  error: EdgeError,
  refused: { readonly request: EdgeRequest; readonly requestId: string },
) => Response | Promise<Response>;
