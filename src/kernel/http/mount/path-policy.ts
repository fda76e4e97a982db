import type { MiddlewareHandler } from 'hono';
import type { EdgeRequest } from '../messages/edge-request.ts';
import type { HeaderList } from '../messages/header-list.ts';

/** How one path is guarded. */
export type PathPolicy = {
  /** The largest body in bytes; 64 KiB unless said otherwise. */
  bodyLimit?: number;
  /**
   * Whose pages may call it: `own` (the default) our own and those allowed by name; `own-or-null` also
   * forms, which browsers send with `Origin: null`; `any` everyone's, for paths that trust no cookie.
   */
  origins?: 'own' | 'own-or-null' | 'any';
  /** It answers under any host name and without TLS, for probes that know only an address. */
  isProbe?: boolean;
  /** Its access log is written at the level `debug`, for paths that programs call every second. */
  isQuiet?: boolean;
  /** The path contains a secret: the access log names the pattern instead. */
  hasSecret?: boolean;
};

/** The guards that follow from a policy. */
export type PathGuard = {
  /** The largest body in bytes. */
  readonly bodyLimit: number;
  /** Refuses bodies above it, counting those of undeclared length. */
  readonly limitBody: MiddlewareHandler;
  /** Refuses calls of pages that may not call the path. Throws `FORBIDDEN_ORIGIN`. */
  readonly checkOrigin: ((request: EdgeRequest) => void) | undefined;
  /** The headers that let pages read the answers; absent if no other origin may. */
  readonly allowOrigins: ((request: EdgeRequest) => HeaderList) | undefined;
};
