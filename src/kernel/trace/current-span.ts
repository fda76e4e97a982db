import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracer.ts';

const spans = new AsyncLocalStorage<Span>();

/** Runs `work` inside a span, if there is one. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : spans.run(span, work);
}

/** The span that the running work belongs to, if traces are recorded. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}
