/** Where a trace stands: what a caller hands on in the header `traceparent` (W3C Trace Context, level 1). */
export type TraceParent = {
  /** 32 digits in hexadecimal. */
  readonly traceId: string;
  /** 16 digits in hexadecimal: the step that calls. */
  readonly spanId: string;
  /** Whether whoever began the trace records it. */
  readonly isSampled: boolean;
};

const header = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header. One that is malformed, or of the version that must not be, counts as none. */
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
