import { type EndedSpan, spanKinds } from './tracer.ts';

/** The resource that the spans belong to, in terms of OTLP. */
export type TracedService = { readonly name: string; readonly version: string };

/** Spans as the JSON of OTLP 1.x, `ExportTraceServiceRequest`. Times are as exact as the clock: milliseconds. */
export function writeOtlp(spans: readonly EndedSpan[], { name, version }: TracedService): string {
  const resource = { 'service.name': name, 'service.version': version };
  const scope = { name: 'tradewind', version };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(toSpan) }],
      },
    ],
  });
}

function toSpan(span: EndedSpan): object {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, isFailure } = span;
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: spanKinds[kind],
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(endedAt),
    attributes: toAttributes(attributes),
    status: isFailure ? { code: 2 } : {},
  };
}

function toNanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`;
}

function toAttributes(attributes: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
