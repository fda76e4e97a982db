import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SwapErrorCode } from '../model/swap-error.ts';

/** Every error of the swap service with its HTTP status (Q2). */
export const swapErrorStatus = {
  INVALID_PARAMS: 400,
  UNSUPPORTED_CHAIN: 400,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
} as const satisfies Record<SwapErrorCode, ContentfulStatusCode>;
