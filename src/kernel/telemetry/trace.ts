import { AsyncLocalStorage } from 'node:async_hooks';
import { drawHex, type Random } from '../model/random.ts';
import type { Clock } from '../wait/clock.ts';

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

const spans = new AsyncLocalStorage<Span>();

/** Runs `work` inside a span, if there is one. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : spans.run(span, work);
}

/** The span that the running work belongs to, if traces are recorded. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}

/** The position in a trace that a caller sends in the header `traceparent` (W3C Trace Context, level 1). */
export type TraceParent = {
  /** 32 digits in hexadecimal. */
  readonly traceId: string;
  /** 16 digits in hexadecimal: the span of the caller. */
  readonly spanId: string;
  /** Whether the originator of the trace records it. */
  readonly isSampled: boolean;
};

const header = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses the header. `undefined` if it is malformed or has the forbidden version. */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = header.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const isForbidden = version === 'ff' || (version === '00' && more !== undefined);
  if (isForbidden || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
