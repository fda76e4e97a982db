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
