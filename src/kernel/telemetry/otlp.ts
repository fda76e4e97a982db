import { patienceWithWorker, type Worker } from '../process/worker.ts';
import type { Clock } from '../wait/clock.ts';
import { type EndedSpan, spanKinds } from './trace.ts';

export type OtlpTarget = {
  /** Where spans are posted, `/v1/traces` included. */
  readonly url: URL;
  /** Such as a key of the collector. */
  readonly headers: Readonly<Record<string, string>>;
};

export type OtlpExporterOptions = {
  readonly target: OtlpTarget;
  readonly service: TracedService;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** Called when spans were lost: how many, and why if a post failed. */
  readonly onLoss: (count: number, error?: unknown) => void;
};

const [mostWaiting, mostInPost] = [4_096, 512];
const pauseMs = 1_000;
const patienceMs = 5_000;

/**
 * Posts spans to a collector, in the JSON of OTLP over HTTP, once a second. Delivery is best effort: spans
 * that a collector does not take, or that come faster than they are sent, are lost and counted.
 */
export function createOtlpExporter(options: OtlpExporterOptions): {
  record(span: EndedSpan): void;
  readonly worker: Worker;
} {
  const { target, service, clock, fetch, onLoss } = options;
  const waiting: EndedSpan[] = [];
  let lost = 0;

  async function post(spans: readonly EndedSpan[]): Promise<void> {
    const deadline = new AbortController();
    const ended = new AbortController();
    void clock.sleep(patienceMs, ended.signal).then(() => deadline.abort());
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: { ...target.headers, 'content-type': 'application/json' },
        body: writeOtlp(spans, service),
        signal: deadline.signal,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${target.url.host} answered ${response.status}`);
    } catch (error) {
      onLoss(spans.length, error);
    } finally {
      ended.abort();
    }
  }

  async function postAll(): Promise<void> {
    if (lost > 0) onLoss(lost);
    lost = 0;
    while (waiting.length > 0) await post(waiting.splice(0, mostInPost));
  }

  return {
    record(span) {
      if (waiting.length < mostWaiting) waiting.push(span);
      else lost += 1;
    },
    worker: {
      name: 'traces',
      movesWithin: pauseMs + patienceWithWorker,
      async run(signal, move = () => {}) {
        while (!signal.aborted) {
          move();
          await clock.sleep(pauseMs, signal);
          await postAll();
        }
      },
    },
  };
}

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
