import type { Dispatcher } from 'undici';
import { explainFailure } from './explain-failure.ts';
import { OutboundError } from './outbound-error.ts';

/** A whole answer. A redirect is an answer like any other: its status, and nothing fetched. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
};

/**
 * Sends one request and gathers the answer up to a size. `abort` ends it at any moment, whether it is
 * still waiting for a connection, being sent, or being answered; it settles at once with the given
 * error. Uses the dispatcher's callbacks rather than streams, which cost more than the request.
 */
export function exchange(options: {
  dispatcher: Dispatcher;
  request: Dispatcher.DispatchOptions & { origin: string };
  maxResponseBytes: number;
  /** Leaves a body beyond that size unread instead of refusing the answer. */
  isBodyCut?: boolean;
}): { response: Promise<OutboundResponse>; abort: (error: Error) => void } {
  const { dispatcher, request, maxResponseBytes, isBodyCut = false } = options;
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: OutboundResponse['headers'] = {};
  let controller: Dispatcher.DispatchController | undefined;
  let abortedWith: Error | undefined;

  const abort = (error: Error) => {
    abortedWith ??= error;
    reject(error);
    controller?.abort(error);
  };
  const settle = () => resolve({ status, headers, body: Buffer.concat(chunks) });
  const stopBeyond = (bytes: number) => {
    if (bytes <= maxResponseBytes) return;
    // What is settled stays so: the refusal then only ends the connection.
    if (isBodyCut) settle();
    const text = `${request.origin} answered with more than the ${maxResponseBytes} bytes that are read: send less.`;
    abort(new OutboundError('RESPONSE_TOO_LARGE', text, { details: { maxResponseBytes } }));
  };

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (abortedWith !== undefined) started.abort(abortedWith);
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      status = statusCode;
      headers = responseHeaders;
      // The length in an answer to HEAD is that of a body which does not come.
      if (request.method !== 'HEAD') stopBeyond(Number(responseHeaders['content-length'] ?? 0));
    },
    onResponseData(_controller, chunk) {
      size += chunk.length;
      stopBeyond(size);
      chunks.push(chunk);
    },
    onResponseEnd: settle,
    onResponseError(_controller, error) {
      reject(explainFailure(error, request.origin));
    },
  });
  return { response: promise, abort };
}
