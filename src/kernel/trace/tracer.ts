import { drawHex } from '../draw-text.ts';
import type { Random } from '../random.ts';
import type { Clock } from '../time/clock.ts';
import { parseTraceParent, type TraceParent, writeTraceParent } from './trace-parent.ts';

/** One step of a trace, under way. */
export type Span = TraceParent & {
  /** What is handed on, so that the next step hangs below this one. */
  readonly header: string;
  /** Begins a call that is made in this step. */
  call(): Span;
  /** Ends the step. */
  end(told: Pick<EndedSpan, 'name' | 'attributes' | 'isFailure'>): void;
};

/** Answers a request, or makes one, by the numbers of OTLP. */
export const spanKinds = { server: 2, client: 3 } as const;
export type SpanKind = keyof typeof spanKinds;

/** A step that is over. */
export type EndedSpan = Pick<TraceParent, 'traceId' | 'spanId'> & {
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailure: boolean;
};

/** Begins the steps of traces. There is one only where traces are wanted (T5). */
export type Tracer = {
  /** Below the step that a `traceparent` names, or in a trace of its own. */
  begin(kind: SpanKind, traceParent: string | undefined): Span;
};

/** Records every step of a trace that its beginner records, and of those that begin here. */
export function createTracer(options: {
  readonly clock: Clock;
  readonly random: Random;
  record(span: EndedSpan): void;
}): Tracer {
  const { clock, random, record } = options;
  const tracer: Tracer = {
    begin(kind, traceParent) {
      const parent = parseTraceParent(traceParent);
      const place = {
        traceId: parent?.traceId ?? drawHex(random, 16),
        spanId: drawHex(random, 8),
        isSampled: parent?.isSampled ?? true,
      };
      const startedAt = clock.now();
      const header = writeTraceParent(place);
      return {
        ...place,
        header,
        call: () => tracer.begin('client', header),
        end(told) {
          if (!place.isSampled) return;
          const { traceId, spanId } = place;
          const times = { startedAt, endedAt: clock.now() };
          record({ traceId, spanId, parentId: parent?.spanId, kind, ...times, ...told });
        },
      };
    },
  };
  return tracer;
}
