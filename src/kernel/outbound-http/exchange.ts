import type { Dispatcher } from 'undici';
import { explainFailure } from './explain-failure.ts';
import { OutboundError } from './outbound-error.ts';

/** A whole answer. A redirect is an answer like any other: its status, and nothing fetched. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where the body is ignored, as much of the beginning as is kept and has come: more may come until it is over. */
  readonly body: Uint8Array;
  /** False while more of an ignored body may come. */
  readonly isOver: boolean;
};

export type ExchangeOptions = {
  readonly origin: string;
  readonly maxResponseBytes: number;
  /** Answers with status and headers, whatever becomes of the body. */
  readonly isBodyIgnored: boolean;
  /** How many bytes of an ignored body are kept. */
  readonly keptBytes: number;
  /** The length in an answer to HEAD is that of a body which does not come. */
  readonly isBodyless: boolean;
};

const noBody = new Uint8Array();

/**
 * One request on its way, handed to the dispatcher to gather the answer up to a size. `abort` ends it
 * at any moment, whether it is still waiting for a connection, being sent, or being answered; it settles
 * at once with the given error. Takes the dispatcher's callbacks rather than streams, and has its state
 * in one object rather than in closures: both would cost more than the request.
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
  /** Called once nothing more can come, if it is set before. */
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

  /** Whether the body has come to its end too, in one way or another. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get status(): number {
    return this.#status;
  }

  get headers(): OutboundResponse['headers'] {
    return this.#headers;
  }

  /** What has come of it and is kept. */
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
    // What comes before the answer says nothing of it.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#options.isBodyIgnored) this.#resolve(this); // shows more of the body when that comes
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

  /** A copy, for a chunk is a view of the memory that the connection reads into. */
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
    // What is settled stays so: where the body is ignored the refusal only ends the connection.
    const text = `${origin} answered with more than the ${maxResponseBytes} bytes that are read: send less.`;
    this.abort(new OutboundError('RESPONSE_TOO_LARGE', text, { details: { maxResponseBytes } }));
  }
}
