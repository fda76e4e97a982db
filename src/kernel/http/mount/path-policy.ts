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
  /** It answers under any name and without TLS, for probes that know an address only. */
  isProbe?: boolean;
  /** Its access log is written at the level `debug`, for what machines ask every second. */
  isQuiet?: boolean;
  /** A secret stands in it: the access log names the pattern in place of the path. */
  hasSecret?: boolean;
};

/** The guards that follow from a policy. */
export type PathGuard = {
  /** The largest body in bytes. */
  readonly bodyLimit: number;
  /** Refuses bodies above it, counting those of undeclared length. */
  readonly limitBody: MiddlewareHandler;
  /** Refuses what pages of other origins must not call. Throws `FORBIDDEN_ORIGIN`. */
  readonly checkOrigin: ((request: EdgeRequest) => void) | undefined;
  /** What lets pages read the answers; absent where no other origin may. */
  readonly allowOrigins: ((request: EdgeRequest) => HeaderList) | undefined;
};
