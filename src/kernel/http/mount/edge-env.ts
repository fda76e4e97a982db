import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from '../messages/connection.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import type { RequestAddress } from '../messages/request-address.ts';
import type { RequestContext } from './request-context.ts';

/** What every service mounted on the edge finds in its Hono context. */
export type EdgeEnv = {
  /** What the listener has read; absent if the app was called inside the process, as in tests. */
  Bindings: {
    connection?: Connection;
    headers?: IncomingHttpHeaders;
    address?: RequestAddress;
    whenReceived?: EdgeRequest['whenReceived'];
  };
  Variables: { context: RequestContext };
};
