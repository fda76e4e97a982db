/**
 * The base of every error that a caller may see. It carries a stable `code`, a message fit to be
 * shown, and optional structured `details`; it knows nothing of HTTP. Each domain extends it once
 * with its own closed union of codes.
 *
 * Neither the message nor the details may hold a secret.
 */
export abstract class DomainError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
  }
}

export type DomainErrorOptions = {
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
};
