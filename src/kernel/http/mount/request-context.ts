import type { Span } from '../../trace/tracer.ts';
import type { Caller, Peer } from '../messages/connection.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import type { OwnedPath } from './index-paths.ts';

/** A request from its arrival to its line in the log. */
export type RequestContext = {
  readonly request: EdgeRequest;
  readonly requestId: string;
  /** Absent for a request that was made inside the process. */
  readonly peer: Peer | undefined;
  readonly caller: Caller;
  /** Whether a web page of another origin sent it, which must not act without a person (N2). */
  readonly isForeignPage: boolean;
  /** Absent where nobody owns the path. */
  readonly owned: OwnedPath | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly start: number;
  /** The span of this request, if traces are recorded. */
  readonly span: Span | undefined;
  /** Set by the gate when the request leaves it. */
  isAnswered: boolean;
};
