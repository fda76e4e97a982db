import type { Answer } from '../messages/answer.ts';
import type { Caller } from '../messages/connection.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/** A request that passed the guards. */
export type EndpointCall = {
  readonly request: EdgeRequest;
  readonly caller: Caller;
  /** Whether a web page of another origin sent it, which must not act without a person (N2). */
  readonly isForeignPage: boolean;
  /** As text; empty where there is none. */
  readonly body: string;
};

/**
 * One method of one path as a plain function, for what is called so often that the web's `Request`
 * and `Response` would cost more than the answer. It answers no pages and no streams. What it throws
 * is refused by the edge.
 */
export type Endpoint =
  | {
      readonly method: 'GET';
      /** As Hono writes patterns, and one of the paths that the mount owns. */
      readonly path: string;
      /** The answer to a GET is ready in memory: no body is read, and nothing is awaited. */
      answer(call: EndpointCall): Answer;
    }
  | {
      readonly method: 'POST';
      readonly path: string;
      answer(call: EndpointCall): Answer | Promise<Answer>;
    };
