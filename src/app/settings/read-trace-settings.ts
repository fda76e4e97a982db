import type { OtlpTarget } from '../../kernel/telemetry/otlp.ts';
import { parseUrl } from '../../kernel/text/url.ts';

/** Where traces go, as the variables of OpenTelemetry say it. */
export type TraceSettings = OtlpTarget & { readonly serviceName: string };

/** OpenTelemetry defines these names for all programs, so they do not begin with ours. */
const [endpointVariable, headersVariable, nameVariable] = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
];

/**
 * Reads where traces go: to `/v1/traces` below the endpoint. Without an endpoint `traces` is
 * undefined, and nothing is traced.
 */
export function readTraceSettings(environment: Readonly<Record<string, string | undefined>>): {
  readonly traces: TraceSettings | undefined;
  readonly problems: readonly string[];
} {
  const endpoint = environment[endpointVariable];
  if (endpoint === undefined || endpoint === '') return { traces: undefined, problems: [] };
  const base = parseUrl(endpoint);
  const headers = readHeaders(environment[headersVariable] ?? '');
  const problems = [
    ...(base !== undefined && /^https?:$/.test(base.protocol)
      ? []
      : [`${endpointVariable} must be the http or https URL of a collector, without /v1/traces`]),
    ...(headers === undefined
      ? [`${headersVariable} must be a list such as name=value,name=value`]
      : []),
  ];
  if (base === undefined || headers === undefined || problems.length > 0) {
    return { traces: undefined, problems };
  }
  base.pathname = `${base.pathname.replace(/\/$/, '')}/v1/traces`;
  const serviceName = environment[nameVariable] || 'tradewind';
  return { traces: { url: base, headers, serviceName }, problems };
}

/** `name=value,name=value`, values in percent encoding. */
function readHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return undefined;
    try {
      headers[name] = decodeURIComponent(value.trim());
    } catch {
      return undefined;
    }
  }
  return headers;
}
