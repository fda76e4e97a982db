import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracer.ts';

const spans = new AsyncLocalStorage<Span>();

/** Runs the work of a step of a trace, if it is one. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : spans.run(span, work);
}

/** The step that the running work belongs to, where traces are wanted. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}
