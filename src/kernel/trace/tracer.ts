import { drawHex } from '../random/draw-text.ts';
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import { parseTraceParent, type TraceParent, writeTraceParent } from './trace-parent.ts';

/** One step of a trace that has not ended. */
export type Span = TraceParent & {
  /** The `traceparent` to send on, so that the next span is a child of this one. */
  readonly header: string;
  /** Begins a child span for an outgoing call. */
  call(): Span;
  end(told: Pick<EndedSpan, 'name' | 'attributes' | 'isFailure'>): void;
};

/** Spans that answer a request, or make one, with their numbers in OTLP. */
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

/** Begins spans. There is a tracer only if traces are wanted (T5). */
export type Tracer = {
  /** Begins a child of the span that a `traceparent` names, or a new trace. */
  begin(kind: SpanKind, traceParent: string | undefined): Span;
};

/** Records every span of a trace that its originator records, and of traces that begin here. */
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
