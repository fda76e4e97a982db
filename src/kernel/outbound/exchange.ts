import { type Dispatcher, errors } from 'undici';
import { OutboundError, type OutboundErrorCode } from './guard-addresses.ts';

/** What OpenSSL and Node.js call a certificate that does not prove the name, or a failed handshake. */
const tlsFailure =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO$)/;
/** The HTTP client asserts that an upgrade it gets is one it asked for. */
const invalidResponse = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
const lostConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Maps a failure of the transport to its code, with a message that names only the origin. An error
 * in the request itself is our own bug and stays as it is.
 */
function explainFailure(cause: Error, origin: string): Error {
  if (cause instanceof OutboundError) return cause;
  const failure = (code: OutboundErrorCode, text: string) =>
    new OutboundError(code, `${origin} ${text}`, { cause });
  // System errors and those of the HTTP client carry a code; others have none.
  const code = 'code' in cause ? String(cause.code) : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return failure('TIMED_OUT', 'did not accept a connection in time: check that it is reachable.');
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return failure('RESPONSE_TOO_LARGE', 'answered with headers above 16 KiB: send fewer.');
  }
  if (cause instanceof errors.HTTPParserError || invalidResponse.has(code)) {
    return failure('INVALID_RESPONSE', 'answered with something that is not an HTTP/1.1 response.');
  }
  if (tlsFailure.test(code)) {
    return failure(
      'TLS_FAILED',
      `did not prove its identity over TLS (${code}): check its certificate.`,
    );
  }
  if (lostConnection.has(code)) {
    return failure('CONNECTION_LOST', 'closed the connection before its answer was complete.');
  }
  if (code.startsWith('UND_ERR_')) return cause;
  return failure('CONNECT_FAILED', `could not be reached (${code || 'unknown reason'}).`);
}

/** A whole answer. A redirect is an answer like any other and is not followed. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of an ignored body, the kept bytes that have arrived so far; more may arrive until `isOver`. */
  readonly body: Uint8Array;
  /** False while more of an ignored body may arrive. */
  readonly isOver: boolean;
};

type ExchangeOptions = {
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
