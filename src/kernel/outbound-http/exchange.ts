import type { Dispatcher } from 'undici';
import { explainFailure } from './explain-failure.ts';
import { OutboundError } from './outbound-error.ts';

/** A whole answer. A redirect is an answer like any other and is not followed. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of an ignored body, the kept bytes that have arrived so far; more may arrive until `isOver`. */
  readonly body: Uint8Array;
  /** False while more of an ignored body may arrive. */
  readonly isOver: boolean;
};

export type ExchangeOptions = {
  readonly origin: string;
  readonly maxResponseBytes: number;
  /** Resolves with status and headers, whatever happens to the body. */
  readonly isBodyIgnored: boolean;
  /** How many bytes of an ignored body are kept. */
  readonly keptBytes: number;
  /** For HEAD: the `Content-Length` of its answer is that of a body which is not sent. */
  readonly isBodyless: boolean;
};

const noBody = new Uint8Array();

/**
 * One request in flight: the handler by which the dispatcher collects the answer up to a size. `abort`
 * ends it at any moment, whether it is still waiting for a connection, being sent, or being answered;
 * `response` then rejects at once with the given error. Uses the dispatcher's callbacks instead of
 * streams, and one object instead of closures: either would cost more than the request.
 */
export class Exchange implements Dispatcher.DispatchHandler, OutboundResponse {
  readonly response: Promise<OutboundResponse>;
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: OutboundResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #abortedWith: Error | undefined;
  #status = 0;
  #headers: OutboundResponse['headers'] = {};
  #chunks: Buffer[] | undefined;
  #size = 0;
  #kept = 0;
  #isOver = false;
  /** Called when nothing more can arrive, if it is set before. */
  onOver: (() => void) | undefined;

  constructor(options: ExchangeOptions) {
    let settle: [(response: OutboundResponse) => void, (error: Error) => void] | undefined;
    this.response = new Promise((resolve, reject) => {
      settle = [resolve, reject];
    });
    // A promise calls its executor at once.
    [this.#resolve, this.#reject] = settle as NonNullable<typeof settle>;
    this.#options = options;
  }

  /** Whether the body has ended too, complete or not. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get status(): number {
    return this.#status;
  }

  get headers(): OutboundResponse['headers'] {
    return this.#headers;
  }

  /** The bytes that have arrived and are kept. */
  get body(): Uint8Array {
    return this.#chunks === undefined ? noBody : Buffer.concat(this.#chunks);
  }

  abort(error: Error): void {
    this.#abortedWith ??= error;
    this.#end();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortedWith !== undefined) controller.abort(this.#abortedWith);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: OutboundResponse['headers'],
  ): void {
    // An informational response precedes the answer and is ignored.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#options.isBodyIgnored) this.#resolve(this); // its `body` grows as more arrives
    if (!this.#options.isBodyless) this.#stopBeyond(Number(headers['content-length'] ?? 0));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    this.#stopBeyond(this.#size);
    if (this.#options.isBodyIgnored) {
      this.#keepBeginning(chunk);
      return;
    }
    this.#chunks ??= [];
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    const { status, headers, body } = this;
    this.#resolve({ status, headers, body, isOver: true });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    if (this.#abortedWith === undefined) this.#reject(explainFailure(error, this.#options.origin));
  }

  /** Keeps a copy, since a chunk is a view of the memory that the connection reads into. */
  #keepBeginning(chunk: Buffer): void {
    const room = this.#options.keptBytes - this.#kept;
    if (room <= 0) return;
    const some = Buffer.from(chunk.subarray(0, room));
    this.#kept += some.length;
    this.#chunks ??= [];
    this.#chunks.push(some);
  }

  #end(): void {
    this.#isOver = true;
    this.onOver?.();
  }

  #stopBeyond(bytes: number): void {
    const { origin, maxResponseBytes } = this.#options;
    if (bytes <= maxResponseBytes) return;
    // A settled promise stays settled: for an ignored body this only closes the connection.
    const text = `${origin} answered with more than the ${maxResponseBytes} bytes that are read: send less.`;
    this.abort(new OutboundError('RESPONSE_TOO_LARGE', text, { details: { maxResponseBytes } }));
  }
}
